/**
 * Limits calls per minute with token buckets that all threads share. `bucket-table.ts` has the memory, and
 * explains why the counts are exact.
 */
import { randomBytes } from 'node:crypto'
import { CALLS_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import type { RateDecision, RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { BucketTable, createTable } from '#rate-limit/bucket-table.ts'
import { tokensLeft, UNITS_PER_MS, unitsUntilToken } from '#rate-limit/gcra.ts'

const NS_PER_UNIT = 1_000_000 / UNITS_PER_MS

/** Two clocks, because a change of the wall clock must not affect the buckets. */
export interface LimiterClock {
  /** Wall time, as `Date.now()`. */
  wallMs(): number
  /** A clock that never goes back and is the same in all threads, as `process.hrtime.bigint()`. */
  monotonicNs(): bigint
}

const SYSTEM_CLOCK: LimiterClock = { wallMs: Date.now, monotonicNs: () => process.hrtime.bigint() }

/** Makes the shared memory. Call this once, on the main thread, before the listeners start. */
export function createLimiterBuffer(clock: LimiterClock = SYSTEM_CLOCK): SharedArrayBuffer {
  return createTable(clock.monotonicNs(), randomBytes(8).readBigUInt64LE())
}

/** Opens the shared memory in one thread. */
export function openLimiter(buffer: SharedArrayBuffer, clock: LimiterClock = SYSTEM_CLOCK): RateLimiter {
  const table = new BucketTable(buffer)
  const nowUnits = () => Math.floor(Number(clock.monotonicNs() - table.epochNs) / NS_PER_UNIT)
  return {
    take(region, key, limitPerMinute) {
      if (isUnlimited(limitPerMinute)) return unlimited(clock.wallMs())
      const pace = { limit: limitPerMinute, nowUnits: nowUnits() }
      const { spent, aheadUnits } = table.spend(region, key, pace)
      return describe(spent, { aheadUnits, limit: limitPerMinute, wallMs: clock.wallMs() })
    },
    peek(region, key, limitPerMinute) {
      if (isUnlimited(limitPerMinute)) return unlimited(clock.wallMs())
      const aheadUnits = table.aheadUnits(region, key, nowUnits())
      const allowed = tokensLeft(aheadUnits, limitPerMinute) > 0
      return describe(allowed, { aheadUnits, limit: limitPerMinute, wallMs: clock.wallMs() })
    },
  }
}

function isUnlimited(limitPerMinute: number): boolean {
  if (limitPerMinute === -1) return true
  if (Number.isInteger(limitPerMinute) && limitPerMinute >= 1 && limitPerMinute <= CALLS_PER_MINUTE_MAX) {
    return false
  }
  throw new RangeError(`a limit is -1 or 1 to ${CALLS_PER_MINUTE_MAX} calls a minute, not ${limitPerMinute}`)
}

function unlimited(wallMs: number): RateDecision {
  return { allowed: true, limit: -1, remaining: -1, resetAtMs: wallMs, retryAfterMs: 0 }
}

function describe(
  allowed: boolean,
  bucket: { aheadUnits: number; limit: number; wallMs: number },
): RateDecision {
  const { aheadUnits, limit, wallMs } = bucket
  return {
    allowed,
    limit,
    remaining: tokensLeft(aheadUnits, limit),
    resetAtMs: wallMs + Math.ceil(aheadUnits / UNITS_PER_MS),
    retryAfterMs: allowed ? 0 : Math.ceil(unitsUntilToken(aheadUnits, limit) / UNITS_PER_MS),
  }
}
