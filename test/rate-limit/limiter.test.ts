import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALLS_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import {
  ACCOUNT_BUCKETS,
  ADDRESS_BUCKETS,
  BUCKETS_PROBED,
  BucketTable,
  createTable,
} from '#rate-limit/bucket-table.ts'
import { WINDOW_UNITS } from '#rate-limit/gcra.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'

const WALL_MS = 1_800_000_000_000

/**
 * A limiter on clocks that stand still until they are advanced; `uptimeMs` is how long it has been running.
 */
function startedLimiter(uptimeMs = 0) {
  let ms = 0
  const clock = { wallMs: () => WALL_MS + ms, monotonicNs: () => 5_000_000n + BigInt(ms * 1000) * 1000n }
  const limiter = openLimiter(createLimiterBuffer(clock), clock)
  const advance = (byMs: number) => {
    ms += byMs
  }
  advance(uptimeMs)
  return { limiter, advance, nowMs: () => WALL_MS + ms }
}

function takeMany(times: number, take: () => { allowed: boolean }): number {
  let allowed = 0
  for (let i = 0; i < times; i++) if (take().allowed) allowed++
  return allowed
}

test('a new key has its whole capacity and not one call more', () => {
  const { limiter } = startedLimiter()
  for (let left = 9; left >= 0; left--) {
    const { allowed, limit, remaining, retryAfterMs } = limiter.take('account', 'acc_1', 10)
    const resetAfterMs = (10 - left) * 6000
    assert.deepEqual(
      { allowed, limit, remaining, retryAfterMs },
      {
        allowed: true,
        limit: 10,
        remaining: left,
        retryAfterMs: 0,
      },
    )
    assert.equal(limiter.peek('account', 'acc_1', 10).resetAtMs, WALL_MS + resetAfterMs)
  }
  assert.deepEqual(limiter.take('account', 'acc_1', 10), {
    allowed: false,
    limit: 10,
    remaining: 0,
    resetAtMs: WALL_MS + 60_000,
    retryAfterMs: 6000,
  })
})

test('a refused call takes nothing and says when the next one is allowed', () => {
  const { limiter, advance } = startedLimiter()
  takeMany(10, () => limiter.take('account', 'acc_1', 10))
  assert.equal(
    takeMany(100, () => limiter.take('account', 'acc_1', 10)),
    0,
  )
  const { retryAfterMs } = limiter.take('account', 'acc_1', 10)
  advance(retryAfterMs - 1)
  assert.equal(limiter.take('account', 'acc_1', 10).allowed, false)
  advance(1)
  assert.equal(limiter.take('account', 'acc_1', 10).allowed, true)
  assert.equal(limiter.take('account', 'acc_1', 10).allowed, false)
})

test('a bucket refills evenly and never above its capacity', () => {
  const { limiter, advance } = startedLimiter()
  takeMany(60, () => limiter.take('account', 'acc_1', 60))
  advance(10_000)
  assert.equal(limiter.peek('account', 'acc_1', 60).remaining, 10)
  advance(50_000)
  assert.equal(limiter.peek('account', 'acc_1', 60).remaining, 60)
  advance(86_400_000)
  assert.equal(
    takeMany(100, () => limiter.take('account', 'acc_1', 60)),
    60,
  )
})

test('peeking at a bucket takes nothing', () => {
  const { limiter, nowMs } = startedLimiter()
  const full = { allowed: true, limit: 3, remaining: 3, resetAtMs: nowMs(), retryAfterMs: 0 }
  for (let i = 0; i < 10; i++) assert.deepEqual(limiter.peek('address', '192.0.2.1', 3), full)
  takeMany(3, () => limiter.take('address', '192.0.2.1', 3))
  const { allowed, retryAfterMs } = limiter.peek('address', '192.0.2.1', 3)
  assert.deepEqual({ allowed, retryAfterMs }, { allowed: false, retryAfterMs: 20_000 })
})

test('a limit of -1 allows everything and says so', () => {
  const { limiter, nowMs } = startedLimiter()
  const unlimited = { allowed: true, limit: -1, remaining: -1, resetAtMs: nowMs(), retryAfterMs: 0 }
  assert.deepEqual(limiter.take('account', 'acc_1', -1), unlimited)
  assert.deepEqual(limiter.peek('account', 'acc_1', -1), unlimited)
})

for (const limit of [0, -2, 1.5, Number.NaN, CALLS_PER_MINUTE_MAX + 1]) {
  test(`a limit of ${limit} is refused`, () => {
    const { limiter } = startedLimiter()
    assert.throws(() => limiter.take('account', 'acc_1', limit), RangeError)
    assert.throws(() => limiter.peek('account', 'acc_1', limit), RangeError)
  })
}

test('keys, regions and prefixes have buckets of their own', () => {
  const { limiter } = startedLimiter()
  assert.equal(
    takeMany(9, () => limiter.take('account', 'a', 5)),
    5,
  )
  assert.equal(
    takeMany(9, () => limiter.take('account', 'b', 5)),
    5,
  )
  assert.equal(
    takeMany(9, () => limiter.take('address', 'a', 5)),
    5,
  )
  assert.equal(
    takeMany(9, () => limiter.take('address', 'token:a', 5)),
    5,
  )
})

test('a bucket keeps its proportion when its limit changes', () => {
  const { limiter } = startedLimiter()
  takeMany(150, () => limiter.take('account', 'acc_1', 300))
  assert.equal(limiter.peek('account', 'acc_1', 300).remaining, 150)
  assert.equal(limiter.peek('account', 'acc_1', 10).remaining, 5)
  assert.equal(
    takeMany(300, () => limiter.take('account', 'acc_1', 10)),
    5,
  )
  assert.equal(limiter.peek('account', 'acc_1', 300).remaining, 0)
})

test('a flood of addresses leaves the buckets of accounts exact', () => {
  const { limiter } = startedLimiter()
  takeMany(7, () => limiter.take('account', 'acc_1', 10))
  for (let i = 0; i < 100_000; i++) limiter.take('address', `2001:db8:${i.toString(16)}::/64`, 60)
  assert.equal(
    takeMany(100, () => limiter.take('account', 'acc_1', 10)),
    3,
  )
})

test('a flood of addresses gets at most as many calls as all slots together hold', () => {
  const { limiter } = startedLimiter()
  let allowed = 0
  for (let i = 0; i < 150_000; i++) if (limiter.take('address', `flood-${i}`, 1).allowed) allowed++
  assert.ok(allowed <= ADDRESS_BUCKETS, `${allowed}`)
  assert.ok(allowed > ADDRESS_BUCKETS * 0.95, `${allowed}`)
})

test('idle buckets make room for new keys, busy ones do not', () => {
  const { limiter, advance } = startedLimiter()
  const keys = Array.from({ length: ACCOUNT_BUCKETS * 4 }, (_, i) => `acc_${i}`)
  for (const key of keys) limiter.take('account', key, 1)
  advance(60_000)
  // All slots are idle now, so the earlier keys do not hinder new ones.
  for (const key of keys.slice(-200)) assert.equal(limiter.take('account', key, 1).allowed, true)
  for (const key of keys.slice(-200)) assert.equal(limiter.take('account', key, 1).allowed, false)
})

test('a new key in a full set takes over the bucket that is nearest to full', () => {
  const table = new BucketTable(createTable(0n, 77n))
  const spend = (key: string, limit: number) => table.spend('account', key, { limit, nowUnits: 0 })
  // One call for every slot. A key whose bucket looks full has found an unused slot.
  const busy: string[] = []
  for (let i = 0; busy.length < ACCOUNT_BUCKETS && i < ACCOUNT_BUCKETS * 10; i++) {
    const key = `acc_${i}`
    if (table.aheadUnits('account', key, 0) === 0) {
      spend(key, 4)
      busy.push(key)
    }
  }
  assert.equal(busy.length, ACCOUNT_BUCKETS)
  assert.equal(ACCOUNT_BUCKETS % BUCKETS_PROBED, 0)
  const { spent, aheadUnits } = spend('one key too many', 4)
  assert.deepEqual({ spent, aheadUnits }, { spent: true, aheadUnits: WINDOW_UNITS / 2 })
})

test('two views of one memory share their buckets, and other memory is refused', () => {
  const clock = { wallMs: () => WALL_MS, monotonicNs: () => 0n }
  const buffer = createLimiterBuffer(clock)
  const [one, other] = [openLimiter(buffer, clock), openLimiter(buffer, clock)]
  assert.equal(
    takeMany(3, () => one.take('account', 'acc_1', 5)),
    3,
  )
  assert.equal(
    takeMany(9, () => other.take('account', 'acc_1', 5)),
    2,
  )
  assert.throws(() => openLimiter(new SharedArrayBuffer(64), clock), RangeError)
})

test('buckets are still exact after eight years of running', () => {
  const { limiter, advance } = startedLimiter(8 * 365 * 86_400_000)
  assert.equal(
    takeMany(900, () => limiter.take('account', 'acc_1', 300)),
    300,
  )
  advance(1000)
  assert.equal(
    takeMany(900, () => limiter.take('account', 'acc_1', 300)),
    5,
  )
})

test('setting the wall clock changes no bucket', () => {
  let wallMs = WALL_MS
  const clock = { wallMs: () => wallMs, monotonicNs: () => 0n }
  const limiter = openLimiter(createLimiterBuffer(clock), clock)
  takeMany(10, () => limiter.take('account', 'acc_1', 10))
  wallMs += 3_600_000
  assert.equal(limiter.take('account', 'acc_1', 10).allowed, false)
  wallMs -= 7_200_000
  assert.equal(limiter.take('account', 'acc_1', 10).resetAtMs, wallMs + 60_000)
})

test('any sequence of calls behaves like a plain token bucket', () => {
  const call = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 120_000 })),
  })
  // Limits whose step is a whole number of milliseconds: the model then needs no rounding.
  const limits = fc.constantFrom(1, 2, 3, 10, 60, 300, 1000)
  fc.assert(
    fc.property(limits, fc.array(call, { maxLength: 400 }), (limit, calls) => {
      const { limiter, advance } = startedLimiter()
      const stepMs = 60_000 / limit
      // The model: credit in milliseconds per key, 60,000 when full.
      const credits = new Map(['a', 'b', 'c'].map(key => [key, 60_000]))
      for (const { key, waitMs } of calls) {
        advance(waitMs)
        for (const [each, credit] of credits) credits.set(each, Math.min(60_000, credit + waitMs))
        const credit = credits.get(key) ?? 0
        const allowed = credit >= stepMs
        const after = allowed ? credit - stepMs : credit
        credits.set(key, after)
        const take = limiter.take('address', key, limit)
        assert.equal(take.allowed, allowed)
        assert.equal(take.remaining, Math.floor(after / stepMs))
        assert.equal(take.retryAfterMs, allowed ? 0 : stepMs - after)
      }
    }),
  )
})
