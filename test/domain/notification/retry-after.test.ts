import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRetryAfter } from '#domain/notification/retry-after.ts'

const NOW_MS = Date.UTC(1994, 10, 6, 8, 49, 0)

test('a number of seconds is a wait from now', () => {
  assert.equal(parseRetryAfter('0', NOW_MS), 0)
  assert.equal(parseRetryAfter(' 120 ', NOW_MS), 120_000)
})

test('all three date forms of RFC 9110 are read as UTC', () => {
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', NOW_MS), 37_000)
  assert.equal(parseRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT', NOW_MS), 37_000)
  assert.equal(parseRetryAfter('Sun Nov  6 08:49:37 1994', NOW_MS), 37_000)
})

test('a date in the past means no wait', () => {
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:00:00 GMT', NOW_MS), 0)
})

test('any other text is ignored', () => {
  for (const value of [
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '12345678901',
    '2026-01-01',
    'Sun, 99 Foo 1994',
    '5, 6',
  ]) {
    assert.equal(parseRetryAfter(value, NOW_MS), null, value)
  }
})

test('no text gives a negative, infinite or NaN wait', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String)), value => {
      const pauseMs = parseRetryAfter(value, NOW_MS)
      assert.ok(pauseMs === null || (Number.isFinite(pauseMs) && pauseMs >= 0))
    }),
  )
})
