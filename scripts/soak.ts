/**
 * Runs a gateway under a small load for an hour and more, and checks that its memory does not grow:
 * `node scripts/soak.ts [--minutes 60] [--rate 20] [--limit MIB] [--out FILE]`. ROOST_BINARY names an
 * executable to run in place of the bundle. `--limit` runs it in a control group with so much memory, as
 * `MemoryMax=` of the unit does. Each second, two alerts go to two of ten webhooks, and a phone, which
 * connects again every ten minutes, receives a text. A receiver accepts the notifications, and a live socket
 * and the list of messages are read as a console does.
 *
 * Prints a line each minute: what was sent, memory (Pss, kB), open descriptors, bytes of the database with
 * its log, and bytes written to disk since the start. SIGINT ends the run early. Exit code 1: memory or the
 * number of descriptors grew, or the kernel killed the gateway.
 */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '#bench/load/quantiles.ts'
import { MemoryGroups } from '#scripts/memory-groups.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'

interface Measurement {
  readonly minute: number
  readonly pssKb: number
  readonly descriptors: number
  readonly databaseBytes: number
  readonly writtenBytes: number
}

/**
 * Allowed growth of the median from the middle third of the run to the last third. The first third is
 * warm-up.
 */
const MEMORY_GROWTH_MAX = 0.05
const DESCRIPTORS_GROWTH_MAX = 4
/** With fewer measurements there is no verdict. */
const MEASUREMENTS_MIN = 9
const WEBHOOKS = 10
const PHONE_EVERY_MINUTES = 10
const MINUTE_MS = 60_000
const ENV = {
  ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '127.0.0.1',
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '100',
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    limit: { type: 'string' },
    out: { type: 'string' },
  },
})
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
const counts = { sent: 0, refused: 0, alerts: 0, received: 0, notified: 0 }
const cleaning: (() => unknown)[] = []
const groups = values.limit === undefined ? null : new MemoryGroups(Number(values.limit) * 1_048_576)
const under = groups === null ? [] : ['sh', '-c', groups.command, 'sh']
const gateway = await GatewayProcess.start({ after: clean => cleaning.push(clean) }, { env: ENV, under })
await receiveNotifications()
const webhooks = await Promise.all(Array.from({ length: WEBHOOKS }, (_, n) => makeWebhook(n)))
const phone = await PairedPhone.pairWith(gateway.url, await pairingCode())
await phone.connect(gateway.url)
await openConsole()
const timers = [
  setInterval(() => void sendText(), 1000 / Number(values.rate)),
  setInterval(() => void raiseAlert(), 500),
  setInterval(() => void receiveText(), 1000),
]
const measurements = await measureEachMinute(Number(values.minutes))
for (const timer of timers) clearInterval(timer)
// The last calls are still on their way.
await pause(5_000)
await phone.disconnect()
for (const clean of cleaning.reverse()) await clean()
print(verdictOf(measurements))

async function measureEachMinute(minutes: number): Promise<Measurement[]> {
  const all: Measurement[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(MINUTE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) break
    const measurement = measure(minute)
    all.push(measurement)
    print(JSON.stringify({ ...measurement, ...counts }))
    if (minute % PHONE_EVERY_MINUTES !== 0) continue
    await phone.disconnect()
    await phone.connect(gateway.url)
  }
  return all
}

function measure(minute: number): Measurement {
  const { pid } = gateway.program
  const read = (file: string, what: RegExp) =>
    Number(what.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1])
  const files = readdirSync(gateway.dataDir).filter(name => name.startsWith('roost.db'))
  return {
    minute,
    pssKb: read('smaps_rollup', /^Pss: +(\d+)/m),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    databaseBytes: files.reduce((sum, name) => sum + statSync(join(gateway.dataDir, name)).size, 0),
    writtenBytes: read('io', /^write_bytes: (\d+)/m),
  }
}

function verdictOf(measurements: readonly Measurement[]): string {
  if (measurements.length < MEASUREMENTS_MIN) return `no verdict: only ${measurements.length} minutes`
  const third = Math.floor(measurements.length / 3)
  const medianOf = (some: readonly Measurement[], what: keyof Measurement) =>
    median(some.map(measurement => measurement[what]))
  const [middle, last] = [measurements.slice(third, -third), measurements.slice(-third)]
  const [pss, pssLater] = [medianOf(middle, 'pssKb'), medianOf(last, 'pssKb')]
  const [open, openLater] = [medianOf(middle, 'descriptors'), medianOf(last, 'descriptors')]
  const isFlat = pssLater <= pss * (1 + MEMORY_GROWTH_MAX) && openLater <= open + DESCRIPTORS_GROWTH_MAX
  process.exitCode = isFlat ? 0 : 1
  const percent = ((100 * (pssLater - pss)) / pss).toFixed(1)
  return (
    `${isFlat ? 'flat' : 'GROWN'}: median Pss of the last third ${pssLater} kB, of the middle third ` +
    `${pss} kB (${percent} %); descriptors ${openLater} and ${open}; ${measurements.length} minutes, ` +
    JSON.stringify(counts)
  )
}

function print(line: string): void {
  console.log(line)
  if (values.out !== undefined) appendFileSync(values.out, `${line}\n`)
}

async function receiveNotifications(): Promise<void> {
  const server = createServer((request, response) => {
    counts.notified++
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleaning.push(() => server.close())
  const { port } = server.address() as AddressInfo
  await expect200(gateway.asOwner('PUT', '/notifications', { url: `http://127.0.0.1:${port}/` }))
}

async function makeWebhook(n: number): Promise<string> {
  const body = { name: `alerts ${n}`, recipients: ['+14155550124'], maxPerHour: 1000 }
  const data = await expect200(gateway.asOwner('POST', '/webhooks', body))
  return (data as { url: string }).url
}

async function pairingCode(): Promise<string> {
  return ((await expect200(gateway.asOwner('POST', '/devices/pairings', {}))) as { code: string }).code
}

async function receiveText(): Promise<void> {
  if (!phone.isConnected) return
  const id = `soak${counts.received++}`
  await phone.reportReceived({ id, from: '+14155550125', message: `an answer, ${id}` })
}

/** What a page of the console does: it hears of events, and reads its list again. */
async function openConsole(): Promise<void> {
  const { token } = await gateway.cli('token', '--account', 'owner@localhost')
  const watch = await watchGateway(gateway, String(token))
  const reading = setInterval(() => void gateway.asOwner('GET', '/sms?limit=50'), 2_000)
  cleaning.push(() => {
    clearInterval(reading)
    watch.close()
  })
}

async function sendText(): Promise<void> {
  const body = { phoneNumber: '+14155550123', message: `soak ${counts.sent}`, queueIfOffline: true }
  const { status } = await gateway.api('POST', '/sms/send', { body })
  if (status === 200) counts.sent++
  else counts.refused++
}

async function raiseAlert(): Promise<void> {
  const path = webhooks[counts.alerts++ % WEBHOOKS] as string
  const body = JSON.stringify({ title: `disk ${counts.alerts}`, message: 'is nearly full' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })
  await answer.text()
}

async function expect200(answer: ReturnType<GatewayProcess['asOwner']>): Promise<unknown> {
  const { status, data, error } = await answer
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(error)}`)
  return data
}
