import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'

/**
 * Counts the failures of each address in the shared rate limiter. After `perMinute` failures within a minute,
 * an address has to wait.
 */
export interface FailureCounter {
  /** Milliseconds until this address may try again; 0: it may try now. */
  waitMs(address: string): number
  add(address: string): void
}

/** `what`: a name that separates these failures from other kinds, such as `login`. */
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
