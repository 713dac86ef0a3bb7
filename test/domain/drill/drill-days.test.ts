import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDrillDays } from '#test/kit/drill-days.ts'
import { sized } from '#test/kit/test-size.ts'

/** A trial with a clock that jumped a day ahead for more than an hour. */
const SEEDS = [1, 4254]

test('each break of a day is noticed, none is made up, and the half that is named is the right one', t => {
  for (const seed of SEEDS) {
    const { tally, failed } = runDrillDays(sized(60, 2_000), seed)
    t.diagnostic(`seed ${seed}: ${JSON.stringify(tally)}`)
    assert.deepEqual(failed, [])
    assert.ok(tally.noticed > 0 && tally.named > 0 && tally.proven > tally.days)
  }
})
