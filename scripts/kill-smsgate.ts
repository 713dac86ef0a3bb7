/**
 * The long run of test/e2e/kill-smsgate.test.ts:
 * `node scripts/kill-smsgate.ts [--rounds 1000] [--minutes M] [--seed N]`.
 * After `--minutes` minutes it starts no new round, and checks the results.
 */
import { parseArgs } from 'node:util'
import { countEnds, findSmsgateFaults, killSmsgate, repeatedByApp } from '#test/kit/kill-smsgate.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const rounds = Number(values.rounds)
console.log(`${rounds} rounds, seed ${seed}`)

const cleaning: (() => unknown)[] = []
const endAt = performance.now() + Number(values.minutes) * 60_000
const progress = (round: number) => {
  if (round % 25 === 0) console.log(`${round} rounds`)
  return performance.now() < endAt
}
const results = await killSmsgate({ after: clean => cleaning.push(clean) }, { rounds, seed, progress })
for (const clean of cleaning.reverse()) await clean()

console.log(
  Object.entries(results.kills)
    .sort()
    .map(([what, times]) => `${times} × ${what}`)
    .join('\n'),
)
const { accepted, taken, transmitted } = results
console.log(
  `${accepted.length} texts accepted by the gateway, ${taken.length} by the phone, ` +
    `${transmitted.length} sent by radio`,
)
console.log(countEnds(results))
console.log(`${repeatedByApp(results)} sent again by the app itself`)
const faults = findSmsgateFaults(results)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing lost, nothing sent twice' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
