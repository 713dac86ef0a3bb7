import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import {
  type AttemptContext,
  decideAfterAttempt,
  nextAttemptDelayMs,
} from '#domain/notification/retry-schedule.ts'

const S = 1000
const M = 60 * S
const H = 60 * M
const DAY = 24 * H
const SCHEDULE_MS = [0, 5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 10 * H]

const FIRST: AttemptContext = { attempt: 1, random: 0.5, isLastChance: false }

function answered(status: number, retryAfterMs: number | null = null): AttemptResult {
  return { outcome: 'response', status, error: null, retryAfterMs, durationMs: 1 }
}

function failed(error: AttemptResult['error'], status: number | null = null): AttemptResult {
  return { outcome: 'error', status, error, retryAfterMs: null, durationMs: 1 }
}

const in5s = { kind: 'retry', delayMs: 5 * S, counted: true }

test('the delays are those of the contract, with eight attempts in all', () => {
  const waits = Array.from({ length: 10 }, (_, attempts) => nextAttemptDelayMs(attempts, 0.5))
  assert.deepEqual(waits, [...SCHEDULE_MS, null, null])
})

test('the first attempt is immediate for any random number', () => {
  assert.equal(nextAttemptDelayMs(0, 0), 0)
  assert.equal(nextAttemptDelayMs(0, 1), 0)
})

test('the jitter shortens or lengthens a delay by at most a fifth', () => {
  assert.equal(nextAttemptDelayMs(1, 0), 4 * S)
  assert.equal(nextAttemptDelayMs(1, 1), 6 * S)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const delayMs = nextAttemptDelayMs(attempt, random) ?? Number.NaN
        const plainMs = SCHEDULE_MS[attempt] ?? Number.NaN
        assert.ok(delayMs >= plainMs * 0.8 && delayMs <= plainMs * 1.2)
      },
    ),
  )
})

test('every 2xx answer counts as delivered', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.deepEqual(decideAfterAttempt(answered(status), FIRST), { kind: 'delivered' })
  }
})

test('redirects, refusals and faults of the receiver are tried again', () => {
  for (const status of [199, 300, 301, 302, 307, 308, 400, 401, 404, 409, 429, 500, 502, 503]) {
    assert.deepEqual(decideAfterAttempt(answered(status), FIRST), in5s, String(status))
  }
})

test('an attempt without a complete answer is tried again, even after a status 200', () => {
  assert.deepEqual(decideAfterAttempt(failed('CONNECT_TIMEOUT'), FIRST), in5s)
  assert.deepEqual(decideAfterAttempt(failed('REFUSED_TARGET'), FIRST), in5s)
  assert.deepEqual(decideAfterAttempt(failed('TIMEOUT', 200), FIRST), in5s)
  assert.deepEqual(decideAfterAttempt(failed('RESET', 410), FIRST), in5s)
})

test('after the eighth attempt a notification has failed', () => {
  assert.equal(decideAfterAttempt(answered(500), { ...FIRST, attempt: 7 }).kind, 'retry')
  assert.deepEqual(decideAfterAttempt(answered(500), { ...FIRST, attempt: 8 }), { kind: 'failed' })
  assert.deepEqual(decideAfterAttempt(answered(200), { ...FIRST, attempt: 8 }), { kind: 'delivered' })
})

test('410 disables the target at once', () => {
  assert.deepEqual(decideAfterAttempt(answered(410), FIRST), { kind: 'disable', reason: 'GONE' })
})

test('the last chance of a target disables it, unless this attempt succeeds', () => {
  const late = { ...FIRST, isLastChance: true }
  assert.deepEqual(decideAfterAttempt(answered(500), late), { kind: 'disable', reason: 'FAILING' })
  assert.deepEqual(decideAfterAttempt(failed('DNS'), late), { kind: 'disable', reason: 'FAILING' })
  assert.deepEqual(decideAfterAttempt(answered(200), late), { kind: 'delivered' })
})

test('Retry-After of a 429 or 503 replaces the first wait, up to a day', () => {
  for (const status of [429, 503]) {
    for (const [asked, expected] of [
      [0, 5 * S],
      [1 * S, 1 * S],
      [10 * S, 10 * S],
      [3 * DAY, DAY],
    ] as const) {
      const decision = decideAfterAttempt(answered(status, asked), FIRST)
      assert.deepEqual(decision, { ...in5s, delayMs: expected }, `${status} ${asked}`)
    }
    assert.deepEqual(decideAfterAttempt(answered(status), FIRST), in5s)
  }
  assert.deepEqual(decideAfterAttempt(answered(500, 10 * S), FIRST), in5s)
})

test('Retry-After lengthens later waits and never shortens them', () => {
  for (const [asked, expected] of [
    [1 * S, 5 * M],
    [10 * M, 10 * M],
  ] as const) {
    const decision = decideAfterAttempt(answered(429, asked), { ...FIRST, attempt: 2 })
    assert.deepEqual(decision, { ...in5s, delayMs: expected }, String(asked))
  }
})

test('Retry-After adds no attempt', () => {
  assert.deepEqual(decideAfterAttempt(answered(429, 10 * S), { ...FIRST, attempt: 8 }), { kind: 'failed' })
})

test('an attempt that the gateway did not make is not counted and disables nothing', () => {
  const late = { attempt: 8, random: 0.5, isLastChance: true }
  for (const error of ['OVERLOADED', 'STOPPED'] as const) {
    assert.deepEqual(decideAfterAttempt(failed(error), late), {
      kind: 'retry',
      delayMs: 1 * S,
      counted: false,
    })
  }
})
