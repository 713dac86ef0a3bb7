/**
 * The long run of test/e2e/kill-fleet.test.ts:
 * `node scripts/kill-fleet.ts [--rounds 1000] [--minutes M] [--seed N]`.
 * After `--minutes` minutes it starts no new round, and checks the results. ROOST_BINARY names an
 * executable to run in place of the bundle.
 */
import { parseArgs } from 'node:util'
import { findFleetFaults, isUnknown, killFleet, repeatedByApps } from '#test/kit/kill-fleet.ts'

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
const results = await killFleet({ after: clean => cleaning.push(clean) }, { rounds, seed, progress })
for (const clean of cleaning.reverse()) await clean()

const { messages, acknowledged, ambiguous, phones, gatewayKills } = results
console.log(`${messages.length} messages, ${acknowledged.size} acknowledged, ${ambiguous} without an answer`)
console.log(`${gatewayKills} kills of the gateway`)
for (const { kind, transmitted, kills } of phones)
  console.log(`${kind}: ${transmitted.length} sent, ${kills} kills`)
console.log(`${messages.filter(isUnknown).length} with an unknown outcome`)
console.log(`${repeatedByApps(results)} sent again by the apps themselves`)
const faults = findFleetFaults(results)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing lost, nothing sent twice' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
