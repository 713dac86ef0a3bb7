import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeNumber } from '#domain/incident/free-number.ts'

const HOUR_MS = 3_600_000

test('a number is free when no incident has it that is open, or was closed within the hour', () => {
  const incidents = [
    { number: 2, closedAt: null },
    { number: 3, closedAt: 0 },
    { number: null, closedAt: null },
  ]
  assert.equal(freeNumber([], 0), 2)
  assert.equal(freeNumber(incidents, HOUR_MS), 4)
  assert.equal(freeNumber(incidents, HOUR_MS + 1), 3)
})

test('there are numbers from 2 to 99; when none is free, the one that was given back longest ago', () => {
  const all = Array.from({ length: 98 }, (_, i) => ({ number: i + 2, closedAt: null }))
  assert.equal(freeNumber(all.slice(0, 97), 0), 99)
  assert.equal(freeNumber(all, 0), null)
  const resting = [...all.slice(2), { number: 2, closedAt: 9 }, { number: 3, closedAt: 8 }]
  assert.equal(freeNumber(resting, 10), 3)
  assert.equal(freeNumber([...resting, { number: 3, closedAt: 10 }], 10), 2)
})
