/**
 * Runs the gateway with little memory:
 * `node scripts/check-memory.ts [--limit 192] [--seconds 60] [--rate 200] [--only load|scenarios] [TEST…]`.
 * Each process of Roost runs in a control group of its own. `--limit` is the limit of the group in MiB, as
 * `MemoryMax=` of systemd would set it. ROOST_BINARY names an executable to run in place of the bundle.
 *
 *   load       sends in the sandbox, with notifications, `--rate` times a second
 *   scenarios  runs the tests of `test/e2e`, or only the given tests
 *
 * Exit code 1: the kernel killed a process, an answer was not 200, or a scenario failed. If this user cannot
 * limit memory (no root, no control groups), the script says so and exits with 0.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from '#bench/load/quantiles.ts'
import { startSender } from '#bench/load/send-from-thread.ts'
import { messageOf } from '#domain/cause.ts'
import { type GroupUse, MemoryGroups } from '#scripts/memory-groups.ts'
import { bundled } from '#test/kit/bundle.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

const MIB = 1_048_576
const MEASURE_EVERY_MS = 250
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '192' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
})
const groups = openGroups()
if (groups !== null) {
  const parts = { load, scenarios }
  for (const [name, part] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await part(groups)
  groups.remove()
}

function openGroups(): MemoryGroups | null {
  try {
    return new MemoryGroups(Number(values.limit) * MIB)
  } catch (error) {
    console.error(`**** SKIPPED: this user cannot limit memory on this machine: ${messageOf(error)} ****`)
    return null
  }
}

async function load(limited: MemoryGroups): Promise<void> {
  const cleaning: (() => unknown)[] = []
  const under = ['sh', '-c', limited.command, 'sh']
  const env = { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '127.0.0.1' }
  const gateway = await GatewayProcess.start({ after: clean => cleaning.push(clean) }, { under, env })
  const { key } = await gateway.cli('key', 'create', '--account', 'owner@localhost', '--test')
  const receiver = createServer((request, response) => request.resume() && response.writeHead(204).end())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  await gateway.asOwner('PUT', '/notifications', { url: `http://127.0.0.1:${port}/` })
  const body = { phoneNumber: '+14155550123', message: 'a text that is sent with little memory' }
  const sender = await startSender({
    url: gateway.url,
    perSecond: Number(values.rate),
    key: String(key),
    body,
  })
  let ownBytes = 0
  const measuring = setInterval(() => {
    ownBytes = Math.max(ownBytes, limited.ownBytes(gateway.program.pid))
  }, MEASURE_EVERY_MS)
  const tookMs = await sender.send(Number(values.seconds))
  clearInterval(measuring)
  await sender.stop()
  const use = limited.useOf(gateway.program.pid)
  const ms = [0.5, 0.99, 1].map(share => quantile(tookMs, share).toFixed(1)).join('/')
  console.log(`load: ${tookMs.length} sends answered, ms p50/p99/max ${ms}; ${describeUse(use)}`)
  console.log(`load: without page cache at most ${Math.round(ownBytes / MIB)} MiB`)
  if (use.kills > 0) process.exitCode = 1
  for (const clean of cleaning.reverse()) await clean()
  receiver.close()
  receiver.closeAllConnections()
  report('load', limited.takeEnded())
}

async function scenarios(limited: MemoryGroups): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-memory-'))
  chmodSync(folder, 0o755)
  const wrapper = join(folder, 'roost')
  const program = process.env['ROOST_BINARY'] ?? `${process.execPath} ${bundled('main')}`
  writeFileSync(wrapper, `#!/bin/sh\nexec sh -c '${limited.command}' sh ${program} "$@"\n`)
  chmodSync(wrapper, 0o755)
  const all = readdirSync('test/e2e').filter(file => file.endsWith('.test.ts'))
  for (const test of positionals.length > 0 ? positionals : all.map(file => join('test/e2e', file))) {
    const child = spawn(process.execPath, ['--test', test], {
      env: { ...process.env, ROOST_BINARY: wrapper },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    const [code] = await once(child, 'close')
    if (code !== 0) {
      console.log(output)
      process.exitCode = 1
    }
    report(`${test} ${code === 0 ? 'passed' : 'FAILED'}`, limited.takeEnded())
  }
  rmSync(folder, { recursive: true })
}

function report(what: string, ended: ReadonlyMap<number, GroupUse>): void {
  const uses = [...ended.values()]
  const kills = uses.reduce((sum, use) => sum + use.kills, 0)
  const reached = uses.reduce((sum, use) => sum + use.reached, 0)
  const peakBytes = Math.max(0, ...uses.map(use => use.peakBytes))
  if (kills > 0) process.exitCode = 1
  console.log(`${what}: ${uses.length} processes, ${describeUse({ peakBytes, reached, kills })}`)
}

function describeUse({ peakBytes, reached, kills }: GroupUse): string {
  const peak = `peak ${Math.round(peakBytes / MIB)} of ${values.limit} MiB`
  return `${peak}, ${reached} times at the limit, ${kills} killed`
}
