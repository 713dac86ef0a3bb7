import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endWithBench } from '#bench/load/gateway.ts'

/** Starts the receivers in their own process, so that they delay neither the caller nor the gateway. */
export async function startTargets(count: number, behaviour: string) {
  const file = fileURLToPath(new URL('./targets.ts', import.meta.url))
  const child = spawn(process.execPath, [file, String(count), behaviour], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithBench(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ports = JSON.parse(line) as number[]
  return { urls: ports.map(port => `http://127.0.0.1:${port}/hook`), stop: () => child.kill() }
}
