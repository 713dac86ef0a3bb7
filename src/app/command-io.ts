/** A command's input and output: data goes to standard output, messages go to standard error. */
import type { Command } from 'commander'
import { oneLine } from '#app/commands/one-line.ts'
import type { EarlyThreads } from '#app/threads/early-threads.ts'
import { printable, printableJson } from '#contracts/printable.ts'

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** Bytes that are written but not yet read. */
  readonly writableLength?: number | undefined
}

export interface CommandIo {
  readonly stdin: AsyncIterable<Buffer | string>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly user: ProgramUser
  /** The words that start this program: the executable, or Node and a file. */
  readonly program: readonly string[]
  /** The process id. */
  readonly pid: number
  /** Threads of the gateway that have been started already; absent: `serve` starts all of them. */
  readonly early?: EarlyThreads | undefined
  /** Hosts that `device find` searches, instead of the local network; for tests. */
  readonly hostsNearby?: readonly string[]
  /**
   * Aborts on SIGTERM, SIGINT and SIGHUP. After this call these signals no longer end the process themselves.
   * If `onHangUp` is given, SIGHUP calls it and does not abort.
   */
  stopSignal(onHangUp?: () => void): AbortSignal
}

/** The user that the program runs as. */
export interface ProgramUser {
  /** -1 on systems without numeric user ids. */
  readonly uid: number
  /** Switches from root to this user permanently. */
  become(user: { readonly uid: number; readonly gid: number }): void
}

/** The options of every command. */
export interface CommonOptions {
  readonly json?: boolean
  readonly config?: string
  readonly data?: string
}

export interface CommandContext {
  /** Escapes everything that could control the terminal (`printSafely`). */
  readonly io: CommandIo
  /** Standard error as it is, for a drawing in colours. */
  readonly canvas: Output
  /** Set by a command that reports failure by its exit code alone. */
  exitCode: number
}

/** A command's data as one JSON object, and as text for people and shell scripts. */
export interface CommandAnswerForms {
  readonly json: object
  readonly text: string
  /** A sentence for people, printed to standard error, with `--json` and without it. */
  readonly note?: string
}

/** The command's own options together with the common ones. */
export function optionsOf<T extends object>(command: Command): T & CommonOptions {
  return command.optsWithGlobals<T & CommonOptions>()
}

/** Prints a command's data to standard output, as JSON if `--json` was given. */
export function answer(
  io: CommandIo,
  options: CommonOptions,
  { json, text, note }: CommandAnswerForms,
): void {
  if (note !== undefined) tell(io, note)
  const data = options.json === true ? printableJson(json) : text
  if (data !== '') io.stdout.write(`${data}\n`)
}

/** Prints a sentence for people to standard error. */
export function tell(io: CommandIo, note: string): void {
  io.stderr.write(`${note}\n`)
}

/** The same input and output, but nothing that is printed can control the terminal. */
export function printSafely(io: CommandIo): CommandIo {
  return { ...io, stdout: safeOutput(io.stdout), stderr: safeOutput(io.stderr) }
}

function safeOutput(output: Output): Output {
  return {
    write: text => output.write(printable(text)),
    isTTY: output.isTTY,
    get writableLength() {
      return output.writableLength
    },
  }
}

/** Formats rows as columns, each as wide as its widest cell. A cell is one line, whatever it contains. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map(row => row.map(cell => oneLine(cell)))]
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return all.map(row => line(row).join('  ').trimEnd()).join('\n')
}
