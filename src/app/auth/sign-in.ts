/**
 * Finds the account for an e-mail and a password. A wrong e-mail costs the same look-ups and hashing as a
 * wrong password, and gets the same message. Each listener checks one login at a time.
 */
import { LoginGuard } from '#app/auth/login-guard.ts'
import type { Passwords } from '#app/auth/passwords.ts'
import { PASSWORDS_WAITING_MAX } from '#contracts/bounds.ts'
import type { CredentialReader, Login } from '#domain/account/credential-store.ts'
import { Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { TaskQueue } from '#pool/task-queue.ts'

/** How many logins of one address may be in progress, so that it cannot fill the queue. */
export const LOGINS_PER_ADDRESS_MAX = 2

export interface SignInPorts {
  readonly reader: Pick<CredentialReader, 'findLogin'>
  readonly limiter: RateLimiter
  readonly passwords: Passwords
  readonly wallMs: () => number
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
  /** Logins in progress, by address. */
  readonly #inProgress = new Map<string, number>()

  constructor(ports: SignInPorts) {
    this.#ports = ports
    this.#guard = new LoginGuard(ports.limiter, ports.wallMs)
  }

  /** @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED, or SERVICE_UNAVAILABLE when too many wait */
  async signIn(attempt: LoginAttempt): Promise<Login> {
    const { address } = attempt
    this.#guard.check(attempt)
    const others = this.#inProgress.get(address) ?? 0
    if (others >= LOGINS_PER_ADDRESS_MAX) throw tooManyLogins()
    this.#inProgress.set(address, others + 1)
    try {
      return await this.#queue.run(() => this.#signInNow(attempt))
    } finally {
      const left = (this.#inProgress.get(address) ?? 1) - 1
      if (left > 0) this.#inProgress.set(address, left)
      else this.#inProgress.delete(address)
    }
  }

  async #signInNow(attempt: LoginAttempt): Promise<Login> {
    const { reader, passwords } = this.#ports
    // Check again: earlier logins in the queue may have failed, or the password may have changed.
    this.#guard.check(attempt)
    const login = reader.findLogin(attempt.email)
    const isRight = await passwords.verify(attempt.password, login?.passwordHash ?? null)
    if (isRight && login !== undefined) return login
    this.#guard.addFailure(attempt)
    throw new Problem('UNAUTHORIZED', 'the e-mail address or the password is wrong')
  }
}

function tooManyLogins(): Problem {
  const message = 'other logins from this address are in progress: try again in a second'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfterS: 1 })
}
