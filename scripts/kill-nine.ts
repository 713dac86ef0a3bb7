/**
 * The long run of test/e2e/kill-nine.test.ts: `node scripts/kill-nine.ts [--rounds 1000] [--seed N]`.
 * ROOST_BINARY names an executable to run in place of the bundle.
 */
import { parseArgs } from 'node:util'
import { quantile } from '#bench/load/quantiles.ts'
import { findFaults, killNine } from '#test/kit/kill-nine.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const rounds = Number(values.rounds)
console.log(`${rounds} rounds, seed ${seed}`)

const cleaning: (() => unknown)[] = []
const results = await killNine(
  { after: clean => cleaning.push(clean) },
  {
    rounds,
    seed,
    progress: round => {
      if (round % 50 === 0) console.log(`${round} rounds`)
    },
  },
)
for (const clean of cleaning.reverse()) await clean()

const { acknowledged, ambiguous, messages, gos, readyMs } = results
const readyAt = (share: number) => quantile(readyMs, share).toFixed()
console.log(
  `${messages.length} messages, ${acknowledged.size} acknowledged, ${ambiguous} without an answer, ` +
    `${gos.length} go`,
)
const countOfAttempt = (attempt: number) => gos.filter(go => go.endsWith(` ${attempt}`)).length
console.log(`go by attempt: ${[1, 2, 3, 4, 5].map(countOfAttempt).join(', ')}`)
console.log(`ready after ms: median ${readyAt(0.5)}, p99 ${readyAt(0.99)}, longest ${readyAt(1)}`)
const faults = findFaults(results)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing lost, nothing sent twice' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
