/**
 * The long run of test/domain/drill/drill-days.test.ts, on two processors:
 * `node scripts/simulate-drills.ts [--days 100000] [--seed N]`. Exit code 1: a trial failed.
 */
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { DAYS_OF_TRIAL, runDrillDays } from '#test/kit/drill-days.ts'

interface Share {
  readonly days: number
  readonly seed: number
}

/** A run prints its progress after so many days. */
const REPORT_DAYS = 1_000
const WORKERS = 2

if (isMainThread) start()
else runShare(workerData as Share)

function start(): void {
  const { values } = parseArgs({
    options: { days: { type: 'string', default: '100000' }, seed: { type: 'string' } },
  })
  const days = Math.ceil(Number(values.days) / WORKERS)
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  for (let place = 0; place < WORKERS; place++) {
    const share: Share = { days, seed: seed + place * Math.ceil(days / DAYS_OF_TRIAL) }
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('exit', code => {
      if (code !== 0) process.exitCode = 1
    })
  }
}

function runShare({ days, seed }: Share): void {
  const sum: Record<string, number> = {}
  for (let done = 0; done < days; done += REPORT_DAYS) {
    const from = seed + done / DAYS_OF_TRIAL
    const { tally, failed } = runDrillDays(Math.min(REPORT_DAYS, days - done), from)
    for (const [name, count] of Object.entries(tally)) sum[name] = (sum[name] ?? 0) + count
    console.log(`seeds ${seed} to ${from + REPORT_DAYS / DAYS_OF_TRIAL - 1}: ${JSON.stringify(sum)}`)
    for (const why of failed) console.error(why)
    if (failed.length > 0) process.exitCode = 1
  }
}
