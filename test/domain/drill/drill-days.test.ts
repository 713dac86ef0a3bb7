import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAYS_OF_TRIAL, runDrillDays } from '#test/kit/drill-days.ts'
import { sized } from '#test/kit/test-size.ts'

/** In the second one a drill is proven while the clock is a day ahead; before that day the chain breaks. */
const SEEDS = [1, 100_021]

test('each break of a day is noticed, none is made up, and the half that is named is the right one', t => {
  for (const seed of SEEDS) {
    const { tally, failed } = runDrillDays(sized(DAYS_OF_TRIAL, 1_000), seed)
    t.diagnostic(`seed ${seed}: ${JSON.stringify(tally)}`)
    assert.deepEqual(failed, [])
    assert.ok(tally.noticed > 0 && tally.named > 0 && tally.proven > 0)
  }
})
