import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALLS_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import { stepAt, tokensLeft, unitsUntilToken, WINDOW_UNITS } from '#rate-limit/gcra.ts'

const limits = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: CALLS_PER_MINUTE_MAX - 5000, max: CALLS_PER_MINUTE_MAX }) },
)
const times = fc.integer({ min: 0, max: 2 ** 41 })

test('the steps of an hour add up to an hour, for any limit and any start', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), times, (limit, start) => {
      let units = start
      for (let i = 0; i < limit * 60; i++) units += stepAt(units, limit)
      assert.ok(Math.abs(units - start - 60 * WINDOW_UNITS) <= 1, `${units - start}`)
    }),
    { numRuns: 50 },
  )
})

test('a full bucket holds exactly the limit, for any limit and any start', () => {
  fc.assert(
    fc.property(limits, times, (limit, start) => {
      let units = start
      for (let left = limit; left > 0; left--) {
        // An assertion for each of up to a million calls would take most of the time.
        if (tokensLeft(units - start, limit) !== left) assert.fail(`${left} calls left of ${limit}`)
        units += stepAt(units, limit)
      }
      assert.equal(tokensLeft(units - start, limit), 0)
    }),
    { numRuns: 60 },
  )
})

test('a call succeeds exactly when the announced wait is over', () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 0, max: WINDOW_UNITS + 1 }), (limit, ahead) => {
      const wait = unitsUntilToken(ahead, limit)
      assert.ok(tokensLeft(ahead - wait, limit) >= 1)
      if (wait > 0) assert.equal(tokensLeft(ahead - wait + 1, limit), 0)
    }),
  )
})
