/**
 * Slows down guessing. Failures are counted in buckets that all listeners share:
 *
 * * one for each address at each account: five failures, then one every 12 s.
 * * one for each address, at all accounts: twenty failures, then one every 3 s.
 * * one for each account, for all addresses: thirty failures, then one every 2 s. Strangers can fill it, and
 *   then nobody can log in to that account. SECURITY.md says what the owner can do.
 *
 * An unknown account is counted like a known one, so a refusal does not show which accounts exist. Behind a
 * proxy that is not in `http.trusted_proxies` all clients have one address, and share one count.
 */
import { limitReached } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'

/** Failed logins from one address at one account: five at once, then one every 12 s. */
export const FAILURES_PER_PAIR_PER_MINUTE = 5
/** Failed logins from one address, at all accounts together. */
export const FAILURES_PER_ADDRESS_PER_MINUTE = 20
/** Failed logins at one account, from all addresses: 30 at once, then one every 2 s. */
export const FAILURES_PER_ACCOUNT_PER_MINUTE = 30

export interface LoginOrigin {
  readonly email: string
  /** The key of the caller's address bucket. */
  readonly address: string
}

export class LoginGuard {
  readonly #limiter: RateLimiter
  readonly #wallMs: () => number

  constructor(limiter: RateLimiter, wallMs: () => number) {
    this.#limiter = limiter
    this.#wallMs = wallMs
  }

  /** @throws Problem RATE_LIMIT_EXCEEDED while this origin must wait */
  check(origin: LoginOrigin): void {
    for (const [key, perMinute] of bucketsOf(origin)) {
      const { remaining, retryAfterMs } = this.#limiter.peek('address', key, perMinute)
      if (remaining > 0) continue
      const waitMs = Math.max(1, retryAfterMs)
      throw limitReached('too many failed logins: wait before the next try', {
        limit: perMinute,
        resetAtMs: this.#wallMs() + waitMs,
        retryAfterMs: waitMs,
      })
    }
  }

  addFailure(origin: LoginOrigin): void {
    for (const [key, perMinute] of bucketsOf(origin)) this.#limiter.take('address', key, perMinute)
  }
}

function bucketsOf({ email, address }: LoginOrigin): [key: string, perMinute: number][] {
  return [
    [`login ${email} ${address}`, FAILURES_PER_PAIR_PER_MINUTE],
    [`login from ${address}`, FAILURES_PER_ADDRESS_PER_MINUTE],
    [`login at ${email}`, FAILURES_PER_ACCOUNT_PER_MINUTE],
  ]
}
