import { createHmac, timingSafeEqual } from 'node:crypto'
import { admitToken, issueAccountToken } from '#app/auth/account-token.ts'
import { keyTokens } from '#app/auth/key-token.ts'
import { passwordsOf } from '#app/auth/passwords.ts'
import { SignIn } from '#app/auth/sign-in.ts'
import type { LoginResource } from '#contracts/account.ts'
import { JWT_VALID_S, SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { Login } from '#domain/account/credential-store.ts'
import { KeyCache } from '#domain/account/key-cache.ts'
import type { SessionReader } from '#domain/account/session.ts'
import { SessionCache } from '#domain/account/session-cache.ts'
import { Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { instant } from '#domain/time.ts'
import type { Generation } from '#rate-limit/generation.ts'
import { openAuditReader } from '#storage/audit-store.ts'
import { openCredentialReader } from '#storage/credential-store.ts'
import type { openReadOnly } from '#storage/database.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { openSessionReader } from '#storage/session-store.ts'
import { openUserRows } from '#storage/user-store.ts'
import { type Credentials, hashOf } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { failureCounter } from '#transport/http/failure-counter.ts'
import type { Route } from '#transport/http/route.ts'
import { auditRoutes } from '#transport/http/routes/audit.ts'
import { authRoutes } from '#transport/http/routes/auth.ts'
import { invitationRoutes } from '#transport/http/routes/invitations.ts'
import { keyRoutes } from '#transport/http/routes/keys.ts'
import { sessionRoutes } from '#transport/http/routes/session.ts'
import { setupRoutes } from '#transport/http/routes/setup.ts'
import { userRoutes } from '#transport/http/routes/users.ts'

export interface AccessPorts {
  /** Read only. */
  readonly database: ReturnType<typeof openReadOnly>
  readonly writer: Writer
  readonly limiter: RateLimiter
  readonly pool: Pool
  readonly tokenKey: Uint8Array
  readonly generation: Generation
  readonly log: (entry: LogEntry) => void
  /** Address for people on the network. */
  readonly publicUrl: string
}

export interface Access {
  /** Authenticates requests of Roost's own API. */
  readonly credentials: Credentials
  /** Authenticates requests in other gateways' APIs: by a key, or by a token made from a key. */
  readonly forDialects: Pick<DialectPorts, 'keyTokens' | 'isChainValid'> & { readonly keys: KeyCache }
  /** The routes for access: setup link, login and logout, sessions, keys, users, audit list. */
  readonly routes: readonly Route[]
}

/** Builds authentication and the login routes of one listener. */
export function openAccess(ports: AccessPorts): Access {
  const sessionReader = openSessionReader(ports.database)
  const credentials = credentialsOf(ports, sessionReader)
  return {
    credentials,
    forDialects: {
      keys: credentials.keys,
      keyTokens: keyTokens(ports.tokenKey, Date.now),
      isChainValid: credentials.reader.isChainValid,
    },
    routes: accessRoutes(ports, { credentials, sessionReader }),
  }
}

function credentialsOf(ports: AccessPorts, sessionReader: SessionReader): Credentials {
  const { database, writer, tokenKey } = ports
  const reader = openPrincipalReader(database)
  const generation = () => ports.generation.current()
  // An overloaded or stopping writer refuses this. Ignore that: a later use is recorded instead.
  const note = (name: 'key.note-use' | 'session.touch', id: string) => {
    writer.ask(name, { id }).catch(() => {})
  }
  return {
    reader,
    keys: new KeyCache(reader, {
      generation,
      hash: hashOf,
      monoMs: () => performance.now(),
      recordUse: id => note('key.note-use', id),
    }),
    sessions: new SessionCache({
      reader: sessionReader,
      generation,
      hash: hashOf,
      isSame: timingSafeEqual,
      wallMs: Date.now,
      recordUse: id => note('session.touch', id),
    }),
    verifyToken: token => admitToken(token, tokenKey),
    cookieTag: cookieTagOf(tokenKey),
  }
}

interface AccessReaders {
  readonly credentials: Credentials
  readonly sessionReader: SessionReader
}

function accessRoutes(ports: AccessPorts, { credentials, sessionReader }: AccessReaders): Route[] {
  const { database, writer, limiter, pool, tokenKey, publicUrl } = ports
  const { sessions, cookieTag } = credentials
  const reader = openCredentialReader(database)
  const passwords = passwordsOf(pool)
  const hashPassword = passwords.hash
  const wallMs = Date.now
  const signInWithoutLog = new SignIn({
    reader,
    limiter,
    passwords,
    wallMs,
  })
  const signIn = withLog(signInWithoutLog, ports.log)
  const failures = failureCounter(limiter, 'setup', SETUP_FAILURES_PER_MINUTE)
  const users = openUserRows(database)
  return [
    ...authRoutes({ writer, signIn, issue: login => issueToken(login, tokenKey) }),
    ...sessionRoutes({ writer, reader: sessionReader, signIn, hashPassword, sessions, cookieTag }),
    ...keyRoutes({ writer, keys: reader }),
    ...setupRoutes({ writer, reader, hashPassword, cookieTag, failures, wallMs }),
    ...userRoutes({ writer, users, publicUrl }),
    ...invitationRoutes({ writer, users, hashPassword, cookieTag, failures, wallMs }),
    ...auditRoutes({ audit: openAuditReader(database) }),
  ]
}

/** Logs accepted and refused logins: addresses, never passwords. */
function withLog(signIn: SignIn, log: AccessPorts['log']): SignIn['signIn'] {
  return async attempt => {
    const { address } = attempt
    try {
      const login = await signIn.signIn(attempt)
      log({
        level: 'info',
        event: 'login.accepted',
        fields: { accountId: login.accountId, userId: login.userId, address },
      })
      return login
    } catch (error) {
      // Attempts over the limit are not logged one by one: the limit protects the log too.
      if (error instanceof Problem && error.code === 'UNAUTHORIZED')
        log({ level: 'warn', event: 'login.refused', fields: { address } })
      throw error
    }
  }
}

async function issueToken(login: Login, key: Uint8Array): Promise<LoginResource> {
  const { accountId, userId, tokenVersion: version } = login
  const nowMs = Date.now()
  const issued = await issueAccountToken({ accountId, userId, version, ttlS: JWT_VALID_S, key, nowMs })
  return { token: issued.token, tokenType: 'Bearer', expiresAt: instant(issued.expiresAt) }
}

/** Six characters that distinguish this gateway's cookie from another gateway's on the same host. */
export function cookieTagOf(tokenKey: Uint8Array): string {
  return createHmac('sha256', tokenKey).update('name of the cookie').digest('hex').slice(0, 6)
}
