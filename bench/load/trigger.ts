/**
 * Compares webhook triggers with sends, made by the same client in turn: both wait for the disk, and a
 * trigger also goes through the pool. Then measures how much slower other callers of the listener are served
 * while the pool is busy with the largest bodies.
 */
import { Pool } from 'undici'
import { startGateway } from '#bench/load/gateway.ts'
import { median, quantile } from '#bench/load/quantiles.ts'

const CONNECTIONS = 64
const REQUESTS = 4000
const ROUNDS = 3
/** Each takes 1,000 triggers an hour: enough for every round. */
const WEBHOOKS = 24
const LARGE_SECONDS = 4
const RECIPIENT = '+14155550123'

interface Request {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Run {
  readonly perSecond: number
  readonly p99Ms: number
  readonly bad: number
}

export async function benchTrigger(): Promise<void> {
  const gateway = await startGateway({ ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000' })
  const client = new Pool(gateway.url, { connections: CONNECTIONS + 8 })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost')
  const token = await gateway.roost('token', '--account', 'owner@localhost')
  const pairing = await gateway.roost('device', 'pair', '--account', 'owner@localhost', '--json')
  const { code } = JSON.parse(pairing) as { code: string }
  await post(client, { path: '/device/v1/pair', body: JSON.stringify({ code, name: 'bench' }) })
  const paths: string[] = []
  for (let i = 0; i < WEBHOOKS; i++) paths.push(await createWebhook(client, token))
  const pathOf = (n: number) => paths[n % paths.length] ?? ''
  let alerts = 0
  const kinds = {
    'durable send': (n: number): Request => ({
      path: '/api/v1/sms/send',
      headers: { 'x-api-key': key },
      body: JSON.stringify({ phoneNumber: RECIPIENT, message: `Message ${n}`, queueIfOffline: true }),
    }),
    'durable trigger': (n: number): Request => ({ path: pathOf(n), body: alertOf(++alerts) }),
  }
  process.stdout.write(`\nPOST /webhook/…, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${REQUESTS}\n`)
  const runs = new Map<string, Run[]>()
  for (let round = 0; round < ROUNDS; round++)
    for (const [kind, make] of Object.entries(kinds))
      runs.set(kind, [...(runs.get(kind) ?? []), await run(client, make)])
  for (const [kind, all] of runs) {
    const pick = (name: keyof Run) => median(all.map(one => one[name]))
    const rate = pick('perSecond').toFixed(0).padStart(7)
    const bad = all.reduce((sum, one) => sum + one.bad, 0)
    print(`${kind.padEnd(15)} ${rate}/s  p99 ${pick('p99Ms').toFixed(1)} ms  not 2xx: ${bad}`)
  }
  await benchLarge(client, pathOf)
  await client.close()
  await gateway.stop()
}

/** Measures `GET /healthz`, first on an idle listener, then while the pool reads bodies of 256 KiB. */
async function benchLarge(client: Pool, pathOf: (n: number) => string): Promise<void> {
  const idle = await probe(client, performance.now() + 1000)
  const until = performance.now() + LARGE_SECONDS * 1000
  let sentAlerts = 0
  const sender = async () => {
    while (performance.now() < until) {
      const status = await post(client, { path: pathOf(sentAlerts), body: largeAlert(++sentAlerts) })
      if (status !== 200) throw new Error(`a large alert was answered ${status}`)
    }
  }
  const senders = Array.from({ length: 4 }, sender)
  const busy = await probe(client, until)
  await Promise.all(senders)
  const p99 = (waits: readonly number[]) => `p99 ${quantile(waits, 0.99).toFixed(1)} ms`
  print(`GET /healthz    idle ${p99(idle)}; while the pool reads bodies of 256 KiB ${p99(busy)}`)
  print(`                ${(sentAlerts / LARGE_SECONDS).toFixed(0)} of them a second`)
}

async function probe(client: Pool, until: number): Promise<readonly number[]> {
  const waits: number[] = []
  while (performance.now() < until) {
    const before = performance.now()
    const { body } = await client.request({ method: 'GET', path: '/healthz' })
    await body.dump()
    waits.push(performance.now() - before)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  return waits
}

async function run(client: Pool, make: (n: number) => Request): Promise<Run> {
  const waits: number[] = []
  let started = 0
  let bad = 0
  const caller = async () => {
    while (started < REQUESTS) {
      const before = performance.now()
      if ((await post(client, make(started++))) !== 200) bad += 1
      waits.push(performance.now() - before)
    }
  }
  const before = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, caller))
  const seconds = (performance.now() - before) / 1000
  return { perSecond: REQUESTS / seconds, p99Ms: quantile(waits, 0.99), bad }
}

async function post(client: Pool, { path, headers = {}, body = '' }: Request): Promise<number> {
  const all = { 'content-type': 'application/json', ...headers }
  const answer = await client.request({ method: 'POST', path, headers: all, body })
  await answer.body.dump()
  return answer.statusCode
}

async function createWebhook(client: Pool, token: string): Promise<string> {
  const { body } = await client.request({
    method: 'POST',
    path: '/api/v1/webhooks',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'bench', recipients: [RECIPIENT], maxPerHour: 1000 }),
  })
  return ((await body.json()) as { data: { url: string } }).data.url
}

/** An alert as a monitor sends it. Each is different, because the gateway drops a repeated alert. */
function alertOf(n: number): string {
  return JSON.stringify({
    heartbeat: { status: 0, msg: `timeout of ${n} ms`, time: '2026-01-31 12:00:00' },
    monitor: { name: 'NAS', url: 'https://nas.lan', type: 'http' },
    msg: '[NAS] [Down] timeout',
  })
}

/**
 * The JSON of a group of 220 alerts, without its opening brace: `largeAlert` puts another first field there.
 * Made only once, so that the client is not busier than the gateway.
 */
const LARGE = (() => {
  const labels = { alertname: 'DiskFull', instance: 'nas', severity: 'critical' }
  const annotations = { summary: 'Disk is full', description: 'x'.repeat(950) }
  const alerts = Array(220).fill({ status: 'firing', labels, annotations })
  return JSON.stringify({ status: 'firing', commonLabels: labels, alerts }).slice(1)
})()

function largeAlert(n: number): string {
  return `{"n":${n},${LARGE}`
}

function print(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
