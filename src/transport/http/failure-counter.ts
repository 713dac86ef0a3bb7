import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'

/**
 * Failures by address in the shared limiter: with its bucket empty, an address waits. The limiter counts by
 * the minute; `perMinute` failures at once empty it.
 */
export interface FailureCounter {
  /** Milliseconds until this address may try again; 0: now. */
  waitMs(address: string): number
  add(address: string): void
}

export function failureCounter(limiter: RateLimiter, what: string, perMinute: number): FailureCounter {
  return {
    waitMs(address) {
      const peek = limiter.peek('address', `${what} ${address}`, perMinute)
      return peek.remaining > 0 ? 0 : Math.max(1, peek.retryAfterMs)
    },
    add(address) {
      limiter.take('address', `${what} ${address}`, perMinute)
    },
  }
}
