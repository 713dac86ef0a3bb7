/** What a command sees of the world, and how it speaks: data to standard output, talk to standard error. */
import type { Command } from 'commander'

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
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
  /** Of the process. */
  readonly pid: number
  /**
   * Aborts on SIGTERM, SIGINT and SIGHUP, which from this call on do not end the process by themselves. With
   * `hungUp`, SIGHUP calls that and stops nothing.
   */
  stopSignal(hungUp?: () => void): AbortSignal
}

/** Whom the program runs as. */
export interface ProgramUser {
  /** -1 where the system knows no users by number. */
  readonly uid: number
  /** Gives up being root for good: everything that is opened from now on is opened as that user. */
  become(user: { readonly uid: number; readonly gid: number }): void
}

/** The options of every command. */
export interface CommonOptions {
  readonly json?: boolean
  readonly config?: string
  readonly data?: string
}

export interface CommandContext {
  readonly io: CommandIo
  /** Set by a command that ends otherwise than well without a failure to tell. */
  exitCode: number
}

/** A command's data: one JSON object, or text as people and shell scripts want it. */
export interface CommandAnswerForms {
  readonly json: object
  readonly text: string
  /** Sentences around the data, in either form. */
  readonly talk?: string
}

/** Its own options and those of every command. */
export function optionsOf<T extends object>(command: Command): T & CommonOptions {
  return command.optsWithGlobals<T & CommonOptions>()
}

export function answer(
  io: CommandIo,
  options: CommonOptions,
  { json, text, talk }: CommandAnswerForms,
): void {
  if (talk !== undefined) tell(io, talk)
  const data = options.json === true ? JSON.stringify(json) : text
  if (data !== '') io.stdout.write(`${data}\n`)
}

export function tell(io: CommandIo, talk: string): void {
  io.stderr.write(`${talk}\n`)
}

/** Columns under their headings, as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return all.map(row => line(row).join('  ').trimEnd()).join('\n')
}
