/**
 * Finds the account for an e-mail and a password. A wrong e-mail costs the same look-ups and hashing as a
 * wrong password, and gets the same message. Each listener checks one login at a time: known addresses first,
 * then new ones, then addresses of a network in which a login failed recently or is in progress. Each of the
 * three groups has its own share of the queue, so guessing does not delay other people.
 */
import { LoginGuard, type LoginOrigin } from '#app/auth/login-guard.ts'
import { loginNetworkOf } from '#app/auth/login-network.ts'
import type { Passwords } from '#app/auth/passwords.ts'
import { PASSWORDS_PER_STRANGER_MAX, PASSWORDS_WAITING_MAX } from '#contracts/bounds.ts'
import type { CredentialReader, Login } from '#domain/account/credential-reader.ts'
import { Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { TaskQueue } from '#pool/task-queue.ts'

export interface SignInPorts {
  readonly reader: Pick<CredentialReader, 'findLogin' | 'isKnownAddress'>
  readonly limiter: RateLimiter
  readonly passwords: Passwords
  readonly wallMs: () => number
  /** Records that a login from this address succeeded. */
  readonly record: (login: { readonly accountId: string; readonly address: string }) => Promise<unknown>
}

export interface LoginAttempt {
  readonly email: string
  readonly password: string
  readonly address: string
}

export class SignIn {
  readonly #ports: SignInPorts
  readonly #guard: LoginGuard
  readonly #queue = new TaskQueue({ what: 'logins', runningMax: 1, waitingMax: PASSWORDS_WAITING_MAX })
  /** Logins in progress, by address and by network, for addresses without an earlier success. */
  readonly #unknownInProgress = new Map<string, number>()

  constructor(ports: SignInPorts) {
    this.#ports = ports
    this.#guard = new LoginGuard(ports.limiter, ports.wallMs)
  }

  /** @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED, or SERVICE_UNAVAILABLE when too many wait */
  async signIn(attempt: LoginAttempt): Promise<Login> {
    const origin = this.#originOf(attempt)
    this.#guard.check(origin)
    if (origin.isKnown) return this.#queue.run(() => this.#signInNow(attempt), 'urgent')
    return this.#signInUnknown(attempt)
  }

  /** A login from an address without an earlier success. */
  async #signInUnknown(attempt: LoginAttempt): Promise<Login> {
    const { address } = attempt
    const network = loginNetworkOf(address)
    if (this.#inProgress(address) >= PASSWORDS_PER_STRANGER_MAX) throw tooManyLogins()
    const urgency = this.#inProgress(network) > 0 || this.#guard.hasFailedFrom(network) ? 'low' : 'normal'
    this.#addInProgress([address, network], 1)
    try {
      return await this.#queue.run(() => this.#signInNow(attempt), urgency)
    } finally {
      this.#addInProgress([address, network], -1)
    }
  }

  #inProgress(place: string): number {
    return this.#unknownInProgress.get(place) ?? 0
  }

  #addInProgress(places: readonly string[], change: 1 | -1): void {
    for (const place of places) {
      const count = this.#inProgress(place) + change
      if (count > 0) this.#unknownInProgress.set(place, count)
      else this.#unknownInProgress.delete(place)
    }
  }

  async #signInNow(attempt: LoginAttempt): Promise<Login> {
    const { reader, passwords, record } = this.#ports
    // Check again: earlier logins in the queue may have failed, or the password may have changed.
    const origin = this.#originOf(attempt)
    this.#guard.check(origin)
    const login = reader.findLogin(attempt.email)
    const isRight = await passwords.verify(attempt.password, login?.passwordHash ?? null)
    if (!isRight || login === undefined) {
      this.#guard.addFailure(origin)
      throw new Problem('UNAUTHORIZED', 'the e-mail address or the password is wrong')
    }
    const { accountId } = login
    // A full disk must not prevent a login; the address is recorded at the next one.
    if (!origin.isKnown) await record({ accountId, address: attempt.address }).catch(() => {})
    return login
  }

  #originOf({ email, address }: LoginAttempt): LoginOrigin {
    const { reader } = this.#ports
    const isKnown = reader.isKnownAddress(reader.findLogin(email)?.accountId ?? '', address)
    return { email, address, isKnown }
  }
}

function tooManyLogins(): Problem {
  const message = 'other logins from this address are in progress: try again in a second'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfterS: 1 })
}
