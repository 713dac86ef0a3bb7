import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DAY_MS,
  date,
  dayOf,
  instant,
  instantOrNull,
  monotonicDeadline,
  monthOf,
  nextMidnight,
} from '#domain/time.ts'

const NOON = Date.UTC(2026, 1, 28, 12)

test('days and months are those of UTC', () => {
  assert.equal(dayOf(0), 0)
  assert.equal(dayOf(DAY_MS - 1), 0)
  assert.equal(dayOf(DAY_MS), 1)
  assert.equal(nextMidnight(NOON), Date.UTC(2026, 2, 1))
  assert.equal(nextMidnight(Date.UTC(2026, 2, 1)), Date.UTC(2026, 2, 2))
  const { firstDay, lastDay } = monthOf(NOON)
  assert.deepEqual([date(firstDay), date(lastDay)], ['2026-02-01', '2026-02-28'])
  assert.equal(date(monthOf(Date.UTC(2028, 1, 1)).lastDay), '2028-02-29')
  assert.equal(date(monthOf(Date.UTC(2026, 11, 31, 23, 59)).lastDay), '2026-12-31')
})

test('times are written as ISO 8601 in UTC with milliseconds', () => {
  assert.equal(instant(NOON), '2026-02-28T12:00:00.000Z')
  assert.equal(instantOrNull(null), null)
})

const REMAINING: readonly [string, number, number][] = [
  ['what is left of it', 400, 1400],
  ['nothing when it is over', -50, 1000],
  ['at most its whole length, when the wall clock went back', 9_000, 2000],
]
for (const [name, leftMs, wanted] of REMAINING)
  test(`after a restart a deadline of one second has ${name}`, () => {
    assert.equal(monotonicDeadline(NOON + leftMs, 1000, { wallMs: NOON, monoMs: 1000 }), wanted)
  })
