import { issueAccountToken } from '#app/auth/account-token.ts'
import { passwordsOf } from '#app/auth/passwords.ts'
import { SignIn } from '#app/auth/sign-in.ts'
import { JWT_VALID_S, SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { failureCounter } from '#transport/http/failure-counter.ts'
import type { Route } from '#transport/http/route.ts'
import { authRoutes } from '#transport/http/routes/auth.ts'
import { keyRoutes } from '#transport/http/routes/keys.ts'
import { setupRoutes } from '#transport/http/routes/setup.ts'

export interface AccountAccessPorts {
  readonly reader: CredentialReader
  readonly writer: Writer
  readonly limiter: RateLimiter
  readonly pool: Pool
  readonly tokenKey: Uint8Array
}

/** Everything by which people get in: the setup link, log in and out, keys. */
export function accountAccessRoutes(ports: AccountAccessPorts): Route[] {
  const { reader, writer, limiter, pool, tokenKey } = ports
  const passwords = passwordsOf(pool)
  const wallMs = Date.now
  const signIn = new SignIn({
    reader,
    limiter,
    passwords,
    wallMs,
    issue: ({ accountId, tokenVersion: version }) =>
      issueAccountToken({ accountId, version, ttlS: JWT_VALID_S, key: tokenKey, nowMs: wallMs() }),
    record: login => writer.ask('account.record-login', login),
  })
  return [
    ...authRoutes({ writer, signIn: attempt => signIn.signIn(attempt) }),
    ...keyRoutes({ writer, keys: reader }),
    ...setupRoutes({
      writer,
      reader,
      hashPassword: passwords.hash,
      failures: failureCounter(limiter, 'setup', SETUP_FAILURES_PER_MINUTE),
      wallMs,
    }),
  ]
}
