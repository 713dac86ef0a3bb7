import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCommand } from '#app/commands/run-command.ts'
import { bundled } from '#test/kit/bundle.ts'

export interface RoostRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  /** The content of standard input. */
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the real program to its end. */
export async function runRoost(args: readonly string[], options: RunOptions): Promise<RoostRun> {
  const { cwd, input = '', env = {} } = options
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ROOST_'))
  const child = spawn(process.execPath, [bundled('main'), ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null ? once(child, 'close') : null,
  ])
  return { code: child.exitCode, stdout, stderr }
}

export interface CommandOptions extends RunOptions {
  readonly isTTY?: boolean
  /** Abort it to stop the command, as SIGTERM does. */
  readonly stop?: AbortSignal
  /** The hosts that `device find` tries. */
  readonly hostsNearby?: readonly string[]
  /** Called each time that standard output grows, with all of it. */
  readonly printed?: (stdout: string) => void
}

/** Runs one command in this process, which saves the start of a new one. */
export async function runHere(args: readonly string[], options: CommandOptions): Promise<RoostRun> {
  const { cwd, input = '', env = {}, isTTY = false, hostsNearby = [], printed, stop } = options
  const out = { stdout: '', stderr: '' }
  const write = (name: keyof typeof out) => (data: string) => {
    out[name] += data
    if (name === 'stdout') printed?.(out.stdout)
  }
  const code = await runCommand(args, {
    stdin: Readable.from([input]),
    stdout: { isTTY, write: write('stdout') },
    stderr: { isTTY, write: write('stderr') },
    env,
    cwd,
    program: ['/usr/local/bin/roost'],
    pid: process.pid,
    hostsNearby,
    user: { uid: process.getuid?.() ?? -1, become: () => assert.fail('a test must not change its user') },
    stopSignal: () => stop ?? new AbortController().signal,
  })
  return { code, ...out }
}
