/**
 * Measures how long a send takes at 200 a second, alone and while somebody saves 200,000 messages as a table
 * (`GET /sms.csv`), and how long the table takes. The two take turns in one run.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { fillMessages } from '#bench/load/fill-messages.ts'
import { startGateway } from '#bench/load/gateway.ts'
import { quantile } from '#bench/load/quantiles.ts'
import { SEND_BODY } from '#bench/load/send.ts'
import { startSender } from '#bench/load/send-from-thread.ts'

const MESSAGES = 200_000
const OWNER = 'owner@localhost'
const PER_SECOND = 200
const ROUNDS = 4
const SECONDS = 5
const NEWLINE = 0x0a

export async function benchTable(): Promise<void> {
  const directory = makeBenchFolder('table')
  const start = () =>
    startGateway({
      ROOST_DATA_DIR: directory,
      ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
      ROOST_MESSAGES__RETENTION_DAYS: '365',
    })
  await (await start()).stop()
  fillMessages({ file: join(directory, 'roost.db'), email: OWNER, count: MESSAGES })
  const gateway = await start()
  const key = await gateway.roost('key', 'create', '--account', OWNER)
  const sender = await startSender({
    url: gateway.url,
    perSecond: PER_SECOND,
    key,
    body: JSON.parse(SEND_BODY) as object,
  })
  const alone: number[] = []
  const beside: number[] = []
  await sender.send(SECONDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await sender.send(SECONDS)))
    const stop = new AbortController()
    const saving = saveTables(gateway.url, key, stop.signal)
    beside.push(...(await sender.send(SECONDS)))
    stop.abort()
    await saving
  }
  await sender.stop()
  const { rows, seconds } = await saveTable(gateway.url, key)
  await gateway.stop()
  rmSync(directory, { recursive: true, force: true })
  print(`\nPOST /sms/send at ${PER_SECOND} a second, ${ROUNDS} rounds of ${SECONDS} s; load from here`)
  for (const [name, all] of Object.entries({ alone, 'beside sms.csv': beside })) {
    const [p50, p99, most] = [0.5, 0.99, 1].map(share => quantile(all, share).toFixed(2))
    print(`  ${name.padEnd(15)} p50 ${p50} ms  p99 ${p99} ms  longest ${most} ms  of ${all.length}`)
  }
  print(`  a table of ${rows} rows takes ${seconds.toFixed(1)} s alone`)
}

/** Saves one table after the other, until the signal ends that. */
async function saveTables(url: string, key: string, signal: AbortSignal): Promise<void> {
  try {
    for (;;) await saveTable(url, key, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function saveTable(url: string, key: string, signal: AbortSignal | null = null) {
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/v1/sms.csv`, { headers: { 'x-api-key': key }, signal })
  if (answer.status !== 200 || answer.body === null) throw new Error(`the table: ${answer.status}`)
  let rows = -1
  for await (const piece of answer.body) for (const byte of piece) if (byte === NEWLINE) rows += 1
  return { rows, seconds: (performance.now() - startedAt) / 1000 }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
