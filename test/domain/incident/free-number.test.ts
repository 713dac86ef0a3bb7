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

test('there are numbers from 2 to 99', () => {
  const all = Array.from({ length: 98 }, (_, i) => ({ number: i + 2, closedAt: null }))
  assert.equal(freeNumber(all.slice(0, 97), 0), 99)
  assert.equal(freeNumber(all, 0), null)
})
