import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Receivers in a process of their own, so that they take no turn from caller or gateway. */
export async function startTargets(count: number, behaviour: string) {
  const file = fileURLToPath(new URL('./targets.ts', import.meta.url))
  const child = spawn(process.execPath, [file, String(count), behaviour], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ports = JSON.parse(line) as number[]
  return { urls: ports.map(port => `http://127.0.0.1:${port}/hook`), stop: () => child.kill() }
}
