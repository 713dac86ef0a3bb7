/**
 * Slows down guessing, but lets no attacker lock another person out. Failures are counted in buckets that all
 * listeners share:
 *
 * * one for each address at each account: five failures, then one every 12 s.
 * * one for each address, at all accounts: twenty failures, then one every 3 s.
 * * one for each account, for all addresses without an earlier success: thirty failures, then one every 2 s.
 *
 * Only the last bucket is shared by several addresses, so strangers can fill it. It does not apply to an
 * address that logged in before, nor to one that has not failed at this account within the last minute. So
 * the owner can still log in at home, and has one attempt from any other address.
 *
 * An attacker with a thousand addresses can thus try a thousand passwords a minute, more than the one hashing
 * thread can check. Therefore the thread checks a login last if another login from the same network (/24, or
 * /48 of IPv6) failed within the last minute, at any account.
 *
 * An unknown account is counted like a known one, so a refusal does not show which accounts exist. Behind a
 * proxy that is not in `http.trusted_proxies` all clients have one address, and share one count.
 */
import { loginNetworkOf } from '#app/auth/login-network.ts'
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
  /** Whether a login at this account from this address succeeded before. */
  readonly isKnown: boolean
}

interface Bucket {
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
    const buckets = this.#hasFailedRecently(origin) ? bucketsOf(origin) : ownBucketsOf(origin)
    for (const { key, perMinute } of buckets) {
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
    const marks = [failureMark(origin), networkFailureMark(loginNetworkOf(origin.address))]
    for (const { key, perMinute } of [...bucketsOf(origin), ...marks])
      this.#limiter.take('address', key, perMinute)
  }

  /** Whether a login from this network failed within the last minute, at any account. */
  hasFailedFrom(network: string): boolean {
    return this.#isMarked(networkFailureMark(network))
  }

  #hasFailedRecently(origin: LoginOrigin): boolean {
    return this.#isMarked(failureMark(origin))
  }

  #isMarked({ key, perMinute }: Bucket): boolean {
    return this.#limiter.peek('address', key, perMinute).remaining === 0
  }
}

/** A bucket of one token, which a failed login of this origin takes for a minute. */
function failureMark({ email, address }: LoginOrigin): Bucket {
  return { key: `login failed ${email} ${address}`, perMinute: 1 }
}

/** A bucket of one token, which a failed login from this network takes for a minute, at any account. */
function networkFailureMark(network: string): Bucket {
  return { key: `login failed from ${network}`, perMinute: 1 }
}

function bucketsOf(origin: LoginOrigin): Bucket[] {
  const own = ownBucketsOf(origin)
  if (origin.isKnown) return own
  return [...own, { key: `login at ${origin.email}`, perMinute: LOGIN_FAILURES_PER_ACCOUNT_PER_MINUTE }]
}

/** Buckets that only this address can fill. */
function ownBucketsOf({ email, address }: LoginOrigin): Bucket[] {
  return [
    { key: `login ${email} ${address}`, perMinute: LOGIN_FAILURES_PER_PAIR_PER_MINUTE },
    { key: `login from ${address}`, perMinute: LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE },
  ]
}
