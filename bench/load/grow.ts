/**
 * Compares a gateway with the messages of 90 days with one on an empty database, in one run: start-up time,
 * also after kill -9, memory, CPU time of a send, and pages of the list with each filter, warm and cold.
 * `npm run bench -- grow 10000000` makes that many messages instead of a million. ROOST_BINARY names an
 * executable to measure in place of the sources.
 */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { fillMessages } from '#bench/load/fill-messages.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad } from '#bench/load/generate-load.ts'
import { readProcessMemory } from '#bench/load/process-memory.ts'
import { median, quantile } from '#bench/load/quantiles.ts'
import { SEND_BODY } from '#bench/load/send.ts'
import { readCpuNs } from '#bench/load/thread-cpu.ts'

const MESSAGES = 1_000_000
const OWNER = 'owner@localhost'
const CONNECTIONS = 64
const ROUNDS = 7
const SECONDS = 1
const STARTS = 3
/** Pages to read with each filter, one after the other by their cursors. */
const PAGES = 100
/** Pages to read with each filter after the system has dropped its cache of the database. */
const COLD_PAGES = 3
const DAY_MS = 86_400_000

/** One of the two gateways that are compared. */
interface Side {
  readonly name: string
  readonly directory: string
  readonly gateway: BenchGateway
  readonly key: string
}

export async function benchGrow(count = Number(process.argv[3] ?? MESSAGES)): Promise<void> {
  print(`\nAn empty database and one of ${count} messages in 90 days; load by ${GENERATOR}`)
  const sides = [await openSide('empty', 0), await openSide('full', count)]
  const costsUs = new Map<Side, number[]>(sides.map(side => [side, []]))
  for (let round = -1; round < ROUNDS; round += 1)
    // Forwards, then backwards. The first round is warm-up.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const costUs = await measureSend(side)
      if (round >= 0) costsUs.get(side)?.push(costUs)
    }
  for (const [{ name }, costs] of costsUs)
    print(`  ${name.padEnd(6)} a send ${median(costs).toFixed(1)} µs of CPU`)
  for (const [filter, name] of filters()) {
    const line: string[] = []
    for (const side of sides) line.push(await measurePages(side, filter))
    print(`  ${name.padEnd(34)} ${line.join('   ')}`)
  }
  for (const { gateway, directory } of sides) {
    await gateway.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Fills a database and starts its gateway several times, after an orderly stop and after kill -9. */
async function openSide(name: string, count: number): Promise<Side> {
  const directory = makeBenchFolder('grow')
  const start = () =>
    startGateway({
      ROOST_DATA_DIR: directory,
      ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
      ROOST_MESSAGES__RETENTION_DAYS: '365',
    })
  await (await start()).stop()
  fillMessages({ file: join(directory, 'roost.db'), email: OWNER, count })
  const stoppedMs: number[] = []
  const killedMs: number[] = []
  let gateway = await timeStart(start, stoppedMs)
  const key = await gateway.roost('key', 'create', '--account', OWNER)
  for (let i = 0; i < STARTS; i += 1) {
    await gateway.stop()
    gateway = await timeStart(start, stoppedMs)
    await measureSend({ gateway, key })
    process.kill(gateway.pid, 'SIGKILL')
    await gateway.stop()
    gateway = await timeStart(start, killedMs)
  }
  const mb = Math.round(readProcessMemory(gateway.pid).resident / 1_048_576)
  print(`  ${name.padEnd(6)} start ${least(stoppedMs)} ms, after kill -9 ${least(killedMs)} ms, ${mb} MB`)
  return { name, directory, key, gateway }
}

/** Starts a gateway, and adds the milliseconds that this took to `tookMs`. */
async function timeStart(start: () => Promise<BenchGateway>, tookMs: number[]): Promise<BenchGateway> {
  const startedAt = performance.now()
  const gateway = await start()
  tookMs.push(performance.now() - startedAt)
  return gateway
}

/** The CPU time of a send, in microseconds. */
async function measureSend({ gateway, key }: Pick<Side, 'gateway' | 'key'>): Promise<number> {
  const url = `${gateway.url}/api/v1/sms/send`
  const before = readCpuNs(gateway.pid)
  const load = { url, connections: CONNECTIONS, seconds: SECONDS, body: SEND_BODY, keys: [key] }
  const { requests, bad } = await generateLoad(load)
  if (bad > 0) throw new Error(`${bad} of ${requests} requests were not answered 200`)
  return (readCpuNs(gateway.pid) - before) / 1000 / requests
}

/** The queries of the list, each with a name. */
function filters(): [query: string, name: string][] {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const [webhook, device] = ['whk', 'dev'].map(prefix => `${prefix}_${'0'.repeat(25)}3`)
  return [
    ['', 'no filter'],
    [`until=${daysAgo(60)}`, 'until, 60 days ago'],
    [`since=${daysAgo(60)}&until=${daysAgo(59)}`, 'since and until, one day'],
    ['phoneNumber=%2B14155551234', 'phoneNumber'],
    ['phoneNumber=%2B14155550199', 'phoneNumber without messages'],
    ['status=failed', 'status'],
    ['status=sending', 'status without messages'],
    ['kind=webhook', 'kind'],
    ['kind=2fa', 'kind without messages'],
    [`webhookId=${webhook}`, 'webhookId'],
    [`deviceId=${device}`, 'deviceId'],
    ['q=breach', 'q'],
    ['q=nowhere', 'q without messages'],
  ]
}

async function measurePages({ gateway, key, directory }: Side, query: string): Promise<string> {
  const file = join(directory, 'roost.db')
  const warmMs: number[] = []
  const coldMs: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES + COLD_PAGES; page += 1) {
    const isCold = page >= PAGES
    // Drops what the system has cached of the file. SQLite has not cached these last pages itself.
    if (isCold) spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'])
    const position: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const startedAt = performance.now()
    const answer = await fetch(`${gateway.url}/api/v1/sms?${query}${position}`, {
      headers: { 'x-api-key': key },
    })
    const body = (await answer.json()) as { page: { nextCursor: string | null } }
    const tookMs = performance.now() - startedAt
    if (isCold) coldMs.push(tookMs)
    else warmMs.push(tookMs)
    if (answer.status !== 200) throw new Error(`${query} was answered ${answer.status}`)
    cursor = body.page.nextCursor
  }
  const warm = `p50 ${median(warmMs).toFixed(1)} p99 ${quantile(warmMs, 0.99).toFixed(1)} ms`
  return `${warm}, cold ${median(coldMs).toFixed(1)} ms`
}

/** The fastest of several starts, which the other load of the machine disturbed least. */
function least(tookMs: readonly number[]): string {
  return quantile(tookMs, 0).toFixed(0)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
