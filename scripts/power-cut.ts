/**
 * The long run of test/power-cut: `node scripts/power-cut.ts [--cuts 50000] [--per-run 2500] [--seed N]`.
 * Each run records the writes of the storage again, with another seed. `--synchronous NORMAL` or `OFF` shows
 * what breaks with a weaker setting of SQLite. Exit code 1: something was lost or corrupt.
 */
import { parseArgs } from 'node:util'
import { cutPower, faultsByKind } from '#test/power-cut/power-cut.ts'
import { recordTrace } from '#test/power-cut/record-trace.ts'

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '50000' },
    'per-run': { type: 'string', default: '2500' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    synchronous: { type: 'string' },
  },
})
const cutsTotal = Number(values.cuts)
const perRun = Number(values['per-run'])
const firstSeed = Number(values.seed)
const weaker = values.synchronous
if (weaker !== undefined && weaker !== 'NORMAL' && weaker !== 'OFF')
  throw new Error('--synchronous is NORMAL or OFF')
console.log(`${cutsTotal} cuts, seed ${firstSeed}`)

const countByKind: Record<string, number> = {}
for (let done = 0; done < cutsTotal; ) {
  const cuts = Math.min(perRun, cutsTotal - done)
  const seed = firstSeed + done
  const recording = await recordTrace({ synchronous: weaker ?? null, seed, batches: 40, lives: 3 })
  const outcome = cutPower(recording, { cuts, seed })
  done += cuts
  for (const [kind, count] of Object.entries(faultsByKind(outcome)))
    countByKind[kind] = (countByKind[kind] ?? 0) + count
  for (const { words } of outcome.faults.slice(0, 3)) console.log(words)
  const { promised, ahead } = outcome
  console.log(`${done} cuts: ${JSON.stringify(countByKind)}`)
  console.log(
    `last run: ${promised} cuts after an acknowledged commit; ${ahead} cuts also kept later commits`,
  )
}
const isIntact = Object.keys(countByKind).length === 0
console.log(isIntact ? 'nothing corrupt, nothing lost' : 'FAILED: something was lost or corrupt, see above')
process.exitCode = isIntact ? 0 : 1
