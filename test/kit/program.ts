/**
 * The real program as processes: the bundle by default, or the executable that ROOST_BINARY names.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from '#test/kit/bundle.ts'
import { Lines } from '#test/kit/lines.ts'

/** Why tests with curl cannot run on this machine; false: they can. A minimal Debian has no curl. */
export const NO_CURL =
  spawnSync('curl', ['--version']).error === undefined
    ? false
    : 'NOT TESTED: curl is not installed. Install it: apt-get install curl'

export interface ProgramOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** A command such as `nsenter …`, which runs the command that follows it. */
  readonly under?: readonly string[]
}

export interface Program {
  readonly child: ChildProcess
  readonly pid: number
  readonly stdout: Lines
  readonly stderr: Lines
  /** The exit code, or the name of the signal. Child processes may live on and print. */
  readonly ended: Promise<number | string>
}

/** Starts `roost` with these arguments. */
export function roost(args: readonly string[], options: ProgramOptions): Program {
  const { ROOST_BINARY } = process.env
  return start(
    ROOST_BINARY === undefined ? [process.execPath, bundled('main'), ...args] : [ROOST_BINARY, ...args],
    options,
  )
}

/** Starts any command. No `ROOST_` variables are inherited; `env` may set some. */
export function start(command: readonly string[], options: ProgramOptions): Program {
  const { cwd, env = {}, under = [] } = options
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ROOST_'))
  const [file = '', ...args] = [...under, ...command]
  const child = spawn(file, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  // A test that awaits `ended` sees the error. In other tests the rejection must not end the process.
  ended.catch(() => undefined)
  return {
    child,
    pid: child.pid ?? 0,
    stdout: new Lines(child.stdout),
    stderr: new Lines(child.stderr),
    ended,
  }
}

export interface ProgramResult {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Runs `roost` to its end. */
export async function runToEnd(args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const program = roost(args, options)
  program.child.stdin?.end()
  const [code] = await Promise.all([program.ended, once(program.child, 'close')])
  return { code, stdout: program.stdout.text, stderr: program.stderr.text }
}
