import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { reasonOf } from '#agent/agent-error.ts'
import type { Clock } from '#agent/clock.ts'
import { COMMAND_MARK, killGroup, startOf } from '#agent/process-group.ts'

/** A radio command that runs longer is killed; its message is reported as `uncertain`. */
export const AGENT_COMMAND_MS_MAX = 60_000
/** A command that was asked to end has this long to do so, for example to hang up. */
export const ASKED_MS_MAX = 10_000
const AGENT_COMMAND_OUTPUT_BYTES_MAX = 1_048_576

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The text for its standard input. */
  readonly input?: string
  /** Whether to return its standard output. Otherwise the output goes to the agent's standard error. */
  readonly withOutput?: boolean
  /** Milliseconds after which the command is killed; `AGENT_COMMAND_MS_MAX` by default. */
  readonly timeoutMs?: number
  /**
   * True: when its time is over, the signal aborts or the agent dies, the command is asked to end (SIGTERM),
   * with all that it started, and killed if it does not. It then ends as `timed-out`.
   */
  readonly isAsked?: boolean
  /**
   * Called with what `endGroup` needs to end the command, before the command begins. If the agent dies before
   * this returns, the command never begins.
   */
  readonly began?: ((command: string) => void) | undefined
}

export type CommandEnd =
  | { readonly kind: 'exit'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'timed-out' }
  /** The agent stops and lets the command continue. */
  | { readonly kind: 'left-alone' }
  /** The command did not begin to run. */
  | { readonly kind: 'not-started'; readonly reason: string }

/**
 * Runs a command to its end. The command gets its own process group, so that Ctrl-C on the agent does not
 * reach it, and a timeout kills everything that it started.
 */
export function runProcess(clock: Clock, command: Command, signal?: AbortSignal): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    let child: ReturnType<typeof start>
    try {
      child = start(command)
    } catch (error) {
      // Node refuses arguments that no command can get, such as a text with a NUL character.
      resolve({ kind: 'not-started', reason: reasonOf(error) })
      return
    }
    try {
      letBegin(child, command)
    } catch (error) {
      killGroup(child.pid)
      reject(error)
      return
    }
    const output: Buffer[] = []
    let outputBytes = 0
    let isEnding = false
    function ask(): void {
      if (isEnding) return
      isEnding = true
      killGroup(child.pid, 'SIGTERM')
      clock.after(ASKED_MS_MAX, () => {
        if (child.exitCode === null && child.signalCode === null) killGroup(child.pid)
      })
    }
    const cancelTimeout = clock.after(command.timeoutMs ?? AGENT_COMMAND_MS_MAX, () => {
      if (command.isAsked) return ask()
      killGroup(child.pid)
      // A process that the command started outside its group may keep the output open forever.
      child.stdout?.destroy()
      end({ kind: 'timed-out' })
    })
    const leave = command.isAsked ? ask : () => end({ kind: 'left-alone' })
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
    // A command may end without reading its input, which causes EPIPE here.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(command.input)
    child.on('error', error => {
      if (child.pid === undefined) end({ kind: 'not-started', reason: reasonOf(error) })
    })
    // The output is complete at 'close'. If the output is not needed, 'exit' is enough, because the command
    // may have started a process that keeps the descriptors open.
    child.on(command.withOutput ? 'close' : 'exit', (exitCode, killedBy) => {
      if (command.isAsked) (child.stdio[3] as Writable).end(isEnding ? undefined : 'let go\n')
      if (isEnding) end({ kind: 'timed-out' })
      else if (exitCode === null) end({ kind: 'killed', by: killedBy ?? 'unknown' })
      else end({ kind: 'exit', exitCode, output: Buffer.concat(output).toString('utf8') })
    })
  })
}

/** Waits for a line on descriptor 3, and ends if the agent is gone before it wrote one. */
const WAIT_FOR_LINE = 'read -r line <&3 || exit 75; exec 3<&-; exec "$@"'

/**
 * Ends what is left of the group if the agent is gone, or closes descriptor 3, before it wrote a line. While
 * this waits, no other group can get the id.
 */
const END_WITHOUT_LINE =
  '(trap "" TERM; read -r line <&3 || { kill -TERM -$$; ' +
  `sleep ${ASKED_MS_MAX / 1000}; kill -KILL -$$; }) >/dev/null 2>&1 & exec 3<&-; exec "$@"`

function start({ file, args, env, input, withOutput, isAsked, began }: Command) {
  const stdio = [input === undefined ? 'ignore' : 'pipe', withOutput ? 'pipe' : 2, 2] as const
  if (isAsked) {
    const child = spawn('sh', ['-c', END_WITHOUT_LINE, 'sh', file, ...args], {
      env,
      stdio: [...stdio, 'pipe'],
      detached: true,
    })
    child.stdio[3]?.on('error', () => undefined)
    return child
  }
  if (began === undefined) return spawn(file, args, { env, stdio: [...stdio], detached: true })
  const words = ['-c', WAIT_FOR_LINE, 'sh', file, ...args]
  const marked = { ...env, [COMMAND_MARK]: randomUUID() }
  const child = spawn('sh', words, { env: marked, stdio: [...stdio, 'pipe'], detached: true })
  return Object.assign(child, { mark: marked[COMMAND_MARK] })
}

/** Lets a command begin that waits for its line. If `began` throws, the command never begins. */
function letBegin(child: ReturnType<typeof start>, { began }: Command): void {
  const { pid, stdio } = child
  if (began === undefined || pid === undefined || !('mark' in child)) return
  const line = stdio[3] as Writable
  // The command may have been killed already, which causes EPIPE here.
  line.on('error', () => undefined)
  began(`${pid} ${startOf(pid) ?? '-'} ${child.mark}`)
  line.end('begin\n')
}
