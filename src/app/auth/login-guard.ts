/**
 * Slows down guessing without giving anybody the means to lock somebody else out. Failures are counted in
 * buckets that all listeners share:
 *
 * * for one address at one account: five, then one in 12 s. Whoever guesses slows down himself.
 * * for one address at whatever accounts: twenty, then one in 3 s.
 * * for one account, by all addresses from which nobody logged in there before: thirty, then one in 2 s.
 *
 * Only the last one looks across addresses, so strangers can fill it. It is not asked about an address from
 * which a login succeeded, nor about one that did not fail at this account within the last minute: the owner
 * goes on at home, and at a new place has a try of his own. So a thousand addresses have a thousand tries a
 * minute, more than the one thread that hashes passwords compares. It takes those of addresses that failed
 * within the last minute, at whatever account, after all others.
 *
 * An account that does not exist is counted like one that does, so a refusal tells nothing. Behind a proxy
 * that is not in `http.trusted_proxies` everybody has one address, and so one count.
 */
import {
  LOGIN_FAILURES_PER_ACCOUNT_PER_MINUTE,
  LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE,
  LOGIN_FAILURES_PER_PAIR_PER_MINUTE,
} from '#contracts/bounds.ts'
import { limitReached } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'

export interface LoginOrigin {
  readonly email: string
  /** The key of the caller's address bucket. */
  readonly address: string
  /** A login at this account from this address succeeded before. */
  readonly isKnown: boolean
}

interface Count {
  readonly key: string
  readonly perMinute: number
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
    const counts = this.#failedLately(origin) ? countsOf(origin) : ownCountsOf(origin)
    for (const { key, perMinute } of counts) {
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
    const marks = [failedLately(origin), failedAnywhere(origin.address)]
    for (const { key, perMinute } of [...countsOf(origin), ...marks])
      this.#limiter.take('address', key, perMinute)
  }

  /** A login from this address failed within the last minute, at whatever account. */
  hasFailedFrom(address: string): boolean {
    return this.#isMarked(failedAnywhere(address))
  }

  #failedLately(origin: LoginOrigin): boolean {
    return this.#isMarked(failedLately(origin))
  }

  #isMarked({ key, perMinute }: Count): boolean {
    return this.#limiter.peek('address', key, perMinute).remaining === 0
  }
}

/** A bucket of one failure, full again after a minute. */
function failedLately({ email, address }: LoginOrigin): Count {
  return { key: `login failed ${email} ${address}`, perMinute: 1 }
}

/** As above, whatever the account. */
function failedAnywhere(address: string): Count {
  return { key: `login failed from ${address}`, perMinute: 1 }
}

function countsOf(origin: LoginOrigin): Count[] {
  const own = ownCountsOf(origin)
  if (origin.isKnown) return own
  return [...own, { key: `login at ${origin.email}`, perMinute: LOGIN_FAILURES_PER_ACCOUNT_PER_MINUTE }]
}

/** What only this address can fill. */
function ownCountsOf({ email, address }: LoginOrigin): Count[] {
  return [
    { key: `login ${email} ${address}`, perMinute: LOGIN_FAILURES_PER_PAIR_PER_MINUTE },
    { key: `login from ${address}`, perMinute: LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE },
  ]
}
