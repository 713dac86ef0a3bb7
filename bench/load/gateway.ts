import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'

/** The main file of this checkout, which runs the sources without a bundle. */
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface BenchGateway {
  readonly url: string
  readonly pid: number
  /** Runs a `roost` command; returns what it prints. */
  roost(...args: string[]): Promise<string>
  stop(): Promise<void>
}

export interface GatewayStart {
  /** A command that runs the gateway, such as `strace …`. */
  readonly under?: readonly string[]
  /** A command of the gateway that runs before it starts. */
  readonly first?: readonly string[]
}

/**
 * Starts the real program in a process of its own, on a database of its own. ROOST_BINARY names an executable
 * to start in place of `main`.
 */
export async function startGateway(
  env: Readonly<Record<string, string>>,
  main = MAIN,
  { under = [], first: prepare }: GatewayStart = {},
): Promise<BenchGateway> {
  const directory = makeBenchFolder('bench')
  const binary = process.env['ROOST_BINARY']
  const [command, first] = binary === undefined ? [process.execPath, [main]] : [binary, []]
  const options = {
    cwd: directory,
    env: {
      ...process.env,
      ROOST_BINARY: undefined,
      ROOST_HTTP__HOST: '127.0.0.1',
      ROOST_HTTP__PORT: '0',
      ROOST_LOG__LEVEL: 'error',
      ...env,
    },
  }
  const roost = async (...args: string[]) => {
    const run = spawn(command, [...first, ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    run.stdout.on('data', chunk => {
      text += chunk
    })
    await once(run, 'close')
    return text.trim()
  }
  if (prepare !== undefined) await roost(...prepare)
  const [file = '', ...args] = [...under, command, ...first, 'serve', '--json']
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  endWithBench(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    pid: child.pid ?? 0,
    roost,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Kills the child when the bench ends with an error. Otherwise the child would run on. */
export function endWithBench(child: ChildProcess): void {
  process.once('exit', () => child.kill('SIGKILL'))
}
