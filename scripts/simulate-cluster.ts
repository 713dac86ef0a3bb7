/**
 * The long run of test/app/cluster/simulation.test.ts:
 * `node scripts/simulate-cluster.ts [--trials 100000] [--seed N]`.
 */
import { parseArgs } from 'node:util'
import { ClusterWorld } from '#test/kit/cluster-world.ts'

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const trials = Number(values.trials)
console.log(`${trials} trials, seeds from ${seed}`)
let [accepted, takeovers, failed] = [0, 0, 0]
for (let trial = 0; trial < trials; trial++) {
  const outcome = await new ClusterWorld(seed + trial).run()
  accepted += outcome.accepted
  takeovers += outcome.takeovers
  if (outcome.faults.length > 0) {
    failed += 1
    console.log(`seed ${seed + trial}: ${outcome.faults.join(', ')}`)
  }
  if ((trial + 1) % 1_000 === 0) console.log(`${trial + 1} trials, ${takeovers} takeovers`)
}
console.log(`${accepted} texts, ${takeovers} takeovers, ${failed} trials with faults`)
process.exitCode = failed === 0 ? 0 : 1
