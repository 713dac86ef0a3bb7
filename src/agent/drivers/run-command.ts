import { spawn } from 'node:child_process'
import { reasonOf } from '#agent/agent-error.ts'
import type { Clock } from '#agent/clock.ts'
import { AGENT_COMMAND_MS_MAX, AGENT_COMMAND_OUTPUT_BYTES_MAX } from '#contracts/agent-bounds.ts'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Given on standard input. */
  readonly input?: string
  /** Whether its standard output is wanted; else it goes to the agent's standard error. */
  readonly withOutput?: boolean
  /** When it is killed, instead of `AGENT_COMMAND_MS_MAX`. */
  readonly timeoutMs?: number
}

export type CommandEnd =
  | { readonly kind: 'exit'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'timed-out' }
  /** The agent stops; the command goes on by itself. */
  | { readonly kind: 'left-alone' }
  /** The command did not begin to run. */
  | { readonly kind: 'not-started'; readonly reason: string }

/**
 * Runs a command to its end. It gets its own process group: Ctrl-C on the agent does not reach it, and a
 * timeout kills everything that it started.
 */
export function runCommand(clock: Clock, command: Command, signal?: AbortSignal): Promise<CommandEnd> {
  return new Promise(resolve => {
    let child: ReturnType<typeof start>
    try {
      child = start(command)
    } catch (error) {
      // Node refuses what no command can be given, such as a text that holds a NUL.
      resolve({ kind: 'not-started', reason: reasonOf(error) })
      return
    }
    const output: Buffer[] = []
    let outputBytes = 0
    const cancelTimeout = clock.after(command.timeoutMs ?? AGENT_COMMAND_MS_MAX, () => {
      killGroup(child.pid)
      // Its output may never be closed: by something that it left behind outside of its group.
      child.stdout?.destroy()
      end({ kind: 'timed-out' })
    })
    const leave = () => end({ kind: 'left-alone' })
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    function end(how: CommandEnd): void {
      cancelTimeout()
      signal?.removeEventListener('abort', leave)
      if (how.kind === 'left-alone') child.unref()
      resolve(how)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length
      if (outputBytes <= AGENT_COMMAND_OUTPUT_BYTES_MAX) output.push(chunk)
    })
    // A command need not read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(command.input)
    child.on('error', error => {
      if (child.pid === undefined) end({ kind: 'not-started', reason: reasonOf(error) })
    })
    // Output is complete at 'close'; without it 'exit' is right: a command may leave something running that
    // keeps its descriptors open.
    child.on(command.withOutput ? 'close' : 'exit', (exitCode, killedBy) => {
      if (exitCode === null) end({ kind: 'killed', by: killedBy ?? 'unknown' })
      else end({ kind: 'exit', exitCode, output: Buffer.concat(output).toString('utf8') })
    })
  })
}

function start(command: Command) {
  return spawn(command.file, command.args, {
    env: command.env,
    stdio: [command.input === undefined ? 'ignore' : 'pipe', command.withOutput ? 'pipe' : 2, 2],
    detached: true,
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
