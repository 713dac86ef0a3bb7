import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDrillDays } from '#test/kit/drill-days.ts'
import { sized } from '#test/kit/test-size.ts'

const SEED = Number(process.env['DRILL_SEED'] ?? 1)

test('each break of a day is noticed, none is made up, and the half that is named is the right one', t => {
  const tally = runDrillDays(sized(100, Number(process.env['DRILL_DAYS'] ?? 100_000)), SEED)
  t.diagnostic(`seed ${SEED}: ${JSON.stringify(tally)}`)
  assert.ok(tally.noticed > 0 && tally.named > 0 && tally.proven > tally.days)
})
