/**
 * The long run of test/e2e/cluster.test.ts, with three gateways and three members of etcd:
 * `node scripts/kill-cluster.ts [--rounds 300] [--minutes M] [--seed N] [--only REGEXP] [--boxes]`.
 * `--only`: only faults whose names match. With `--boxes`, as root, each gateway has a machine of its own,
 * with a member of etcd, a network, a disk, and keepalived (`test/kit/boxes.ts`).
 * After `--minutes` minutes it starts no new round, and checks the results.
 */
import { parseArgs } from 'node:util'
import { Boxes, boxesMissing } from '#test/kit/boxes.ts'
import { findClusterFaults, killCluster } from '#test/kit/kill-cluster.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string' },
    only: { type: 'string', default: '.' },
    boxes: { type: 'boolean', default: false },
  },
})
/** A slower round prints what the gateways said. */
const PROMISED_MS = 15_000
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const rounds = Number(values.rounds)
const only = new RegExp(values.only)
console.log(`${rounds} rounds, seed ${seed}`)

const cleaning: (() => unknown)[] = []
const endAt = performance.now() + Number(values.minutes) * 60_000
const progress = (round: number, what: string, ms: number, said: readonly string[]) => {
  console.log(`${round}: ${what}, accepts again after ${Math.round(ms)} ms`)
  if (ms > PROMISED_MS) console.log(said.join(''))
  return performance.now() < endAt
}
const cleaner = { after: (clean: () => unknown) => void cleaning.push(clean) }
const missing = values.boxes && boxesMissing()
if (missing) throw new Error(missing)
const cleanUp = async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().then(() => process.exit(1)))
const boxes = values.boxes ? { boxes: Boxes.start(cleaner, 3) } : {}
const results = await killCluster(cleaner, { rounds, seed, only, progress, ...boxes }).catch(
  error => error as Error,
)
await cleanUp()
if (results instanceof Error) throw results

for (const [what, times] of [...results.times].sort()) {
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const worst = Math.round(sorted.at(-1) ?? 0)
  console.log(`${what}: ${sorted.length} times, ms: median ${Math.round(median)}, worst ${worst}`)
}
console.log(`${results.accepted.length} texts acknowledged, ${results.transmitted.length} transmitted`)
const faults = findClusterFaults(results)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing lost, nothing sent twice' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
