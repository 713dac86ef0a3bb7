/**
 * Runs the gateway with little memory:
 * `node scripts/check-memory.ts [--limit 192] [--seconds 60] [--rate 200] [--only PART] [TEST…]`.
 * Each process of Roost runs in a control group of its own. `--limit` is the limit of the group in MiB, as
 * `MemoryMax=` of systemd would set it. ROOST_BINARY names an executable to run in place of the bundle.
 *
 *   load       sends in the sandbox, with notifications, `--rate` times a second
 *   scenarios  runs the tests of `test/e2e`, or only the given tests
 *   heads      12,000 connections with 15 KiB of a head without an end, and a caller beside them; only if it
 *              is asked for, with the limit of the systemd unit
 *
 * Exit code 1: the kernel killed a process, an answer was not 200, or a scenario failed. If this user cannot
 * limit memory (no root, no control groups), the script says so and exits with 0.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile } from '#bench/load/quantiles.ts'
import { startSender } from '#bench/load/send-from-thread.ts'
import { messageOf } from '#domain/cause.ts'
import { type GroupUse, MemoryGroups } from '#scripts/memory-groups.ts'
import { bundled } from '#test/kit/bundle.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

const MIB = 1_048_576
const MEASURE_EVERY_MS = 250
const HEADS = 12_000
const HEAD_BYTES = 15 * 1024
/** Fewer than a gateway whose connections are in use takes of one address. */
const HEADS_PER_ADDRESS = 100
/** A silent connection is closed after ten seconds. Then there is room for others. */
const HEADS_GAP_MS_MAX = 15_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
})
const limitMib = Number(values.limit ?? (values.only === 'heads' ? unitLimitMib() : 192))
const groups = openGroups()
if (groups !== null) {
  const parts = values.only === 'heads' ? { heads } : { load, scenarios }
  for (const [name, part] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await part(groups)
  groups.remove()
}

function openGroups(): MemoryGroups | null {
  try {
    return new MemoryGroups(limitMib * MIB)
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

/** `MemoryMax=` of the unit. */
function unitLimitMib(): number {
  return Number(/^MemoryMax=(\d+)M$/m.exec(readFileSync('src/app/service/service-files.ts', 'utf8'))?.[1])
}

async function heads(limited: MemoryGroups): Promise<void> {
  const cleaning: (() => unknown)[] = []
  const gateway = await GatewayProcess.startBare(
    { after: clean => cleaning.push(clean) },
    { under: ['sh', '-c', limited.command, 'sh'] },
  )
  const port = Number(new URL(gateway.url).port)
  const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(HEAD_BYTES)}`
  const sockets = new Set<Socket>()
  const open = (at: number) => {
    const localAddress = `127.1.${Math.floor(at / HEADS_PER_ADDRESS)}.1`
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(head))
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    sockets.add(socket)
  }
  let most = 0
  const answeredMs = [performance.now()]
  const startedMs = performance.now()
  while (performance.now() - startedMs < Number(values.seconds) * 1000) {
    for (let missing = Math.min(2_000, HEADS - sockets.size); missing > 0; missing--)
      open(Math.floor(Math.random() * HEADS))
    most = Math.max(most, sockets.size)
    const answer = await fetch(`${gateway.url}/healthz`, { headers: { connection: 'close' } }).catch(
      () => null,
    )
    if (answer?.status === 200) answeredMs.push(performance.now())
    await pause(50)
  }
  answeredMs.push(performance.now())
  const gapMs = Math.max(...answeredMs.slice(1).map((at, index) => at - (answeredMs[index] ?? at)))
  const use = limited.useOf(gateway.program.pid)
  console.log(`heads: ${most} connections at once; ${describeUse(use)}`)
  console.log(`heads: ${answeredMs.length - 2} other calls answered, at most ${Math.round(gapMs)} ms apart`)
  if (use.kills > 0 || gapMs > HEADS_GAP_MS_MAX) process.exitCode = 1
  for (const socket of sockets) socket.destroy()
  for (const clean of cleaning.reverse()) await clean()
  report('heads', limited.takeEnded())
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
  const peak = `peak ${Math.round(peakBytes / MIB)} of ${limitMib} MiB`
  return `${peak}, ${reached} times at the limit, ${kills} killed`
}
