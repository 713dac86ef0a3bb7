/**
 * A long run of the seeded simulation: `node scripts/simulate.ts --trials 5000000 --seed 1`. `--both` uses
 * two processors, `--incidents` adds alarms and answers by text, `--clocks` runs trials about clocks that
 * jump. A trial that fails is run again with its trace printed, and ends the run with exit code 1.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { simulate } from '#test/simulation/simulate.ts'

interface Share {
  readonly trials: number
  readonly seed: number
  readonly hasIncidents: boolean
  readonly hasClocks: boolean
}

/** A run prints its progress after this many trials. */
const REPORT_TRIALS = 100_000

if (isMainThread) start()
else runShare(workerData as Share)

function start(): void {
  const { values } = parseArgs({
    options: {
      trials: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
      both: { type: 'boolean', default: false },
      incidents: { type: 'boolean', default: false },
      clocks: { type: 'boolean', default: false },
    },
  })
  const trials = Number(values.trials)
  const seed = Number(values.seed)
  const { incidents: hasIncidents, clocks: hasClocks } = values
  const workers = values.both ? Math.min(2, availableParallelism()) : 1
  if (workers === 1) return runShare({ trials, seed, hasIncidents, hasClocks })
  const half = Math.ceil(trials / workers)
  for (let i = 0; i < workers; i++) {
    const share: Share = { trials: half, seed: (seed + i * half) >>> 0, hasIncidents, hasClocks }
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('exit', code => {
      if (code !== 0) process.exitCode = 1
    })
  }
}

function runShare({ trials, seed, hasIncidents, hasClocks }: Share): void {
  for (let done = 0; done < trials; done += REPORT_TRIALS) {
    const count = Math.min(REPORT_TRIALS, trials - done)
    const startedAt = performance.now()
    const report = simulate({ trials: count, seed: (seed + done) >>> 0, hasIncidents, hasClocks })
    const perSecond = Math.round((report.trials * 1000) / (performance.now() - startedAt))
    console.log(`seeds ${report.seed} to ${report.seed + report.trials - 1}: ${JSON.stringify(report.ends)}`)
    console.log(`${done + report.trials} of ${trials}, ${perSecond} a second, unknown ${report.unknownShare}`)
    if (report.failed === null) continue
    console.error(`seed ${report.failed.seed} failed:\n${report.failed.trace.join('\n')}`)
    console.error(report.failed.wrong.join('\n'))
    process.exitCode = 1
    return
  }
}
