import { createHash } from 'node:crypto'
import type { Role } from '#contracts/user.ts'
import type { KeyCache } from '#domain/account/key-cache.ts'
import type { Principal, PrincipalReader, VerifyToken } from '#domain/account/principal.ts'
import type { SessionCache } from '#domain/account/session-cache.ts'
import { isAtLeast } from '#domain/account/user.ts'
import { Problem } from '#domain/problem.ts'
import type { Exchange } from '#transport/http/exchange.ts'
import type { Access } from '#transport/http/route.ts'
import { sessionHalves } from '#transport/http/session-cookie.ts'

/** Everything that is needed to find out who calls. */
export interface Credentials {
  readonly reader: PrincipalReader
  readonly keys: KeyCache
  readonly verifyToken: VerifyToken
  readonly sessions: Pick<SessionCache, 'find'>
  /** Part of the name of the session cookie (`cookieTagOf`). */
  readonly cookieTag: string
}

/**
 * Identifies the caller; null: no valid credential. All routes accept an account token (`Authorization:
 * Bearer`) or a session. Routes with access `key` also accept an API key, in `X-API-Key`, as `Authorization:
 * Bearer sk_…` or as the password of `Authorization: Basic`.
 */
export function authenticate(exchange: Exchange, credentials: Credentials, access: Access): Principal | null {
  if (access === 'session') return bySession(exchange.headers, credentials)
  const key = exchange.headers['x-api-key']
  if (key !== undefined && access === 'key') return byKey(key, credentials)
  const authorization = exchange.headers['authorization']
  const secret = bearerOf(authorization) ?? passwordOf(authorization)
  if (secret === null) return bySession(exchange.headers, credentials)
  if (access === 'key' && secret.startsWith('sk_')) return byKey(secret, credentials)
  return byToken(secret, credentials)
}

/** The token of `Authorization: Bearer`; null: the header is absent or of another kind. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** The API key that is the password of `Authorization: Basic`; null: there is none. */
export function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,4096}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const [, password] = /^[^:]*:(sk_\w+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  return password ?? null
}

/** The principal of a session. The request must have both halves of its secret: the cookie and the header. */
export function bySession(
  headers: Readonly<Record<string, string | undefined>>,
  { sessions, cookieTag }: Pick<Credentials, 'sessions' | 'cookieTag'>,
): Principal | null {
  for (const halves of sessionHalves(headers, cookieTag)) {
    const principal = sessions.find(halves)
    if (principal !== undefined) return principal
  }
  return null
}

/** The SHA-256 hash of a secret, as the database stores it. */
export function hashOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

export function unauthorized(access: Access): Problem {
  if (access === 'session') return new Problem('UNAUTHORIZED', 'only the console may call this: log in there')
  const fix =
    access === 'key'
      ? 'send a valid API key: in the header X-API-Key, as Authorization: Bearer, or as password of Basic'
      : 'send a valid account token in the header Authorization: Bearer; this route accepts no API key'
  return new Problem('UNAUTHORIZED', fix)
}

/**
 * Refuses a user whose role is not enough for a route.
 *
 * @throws Problem FORBIDDEN
 */
export function refuseRole({ user }: Principal, needed: Role): void {
  if (user === undefined || isAtLeast(user.role, needed)) return
  throw new Problem('FORBIDDEN', `this needs the role ${needed}, and yours is ${user.role}: ask an owner`)
}

function byKey(key: string, { keys }: Credentials): Principal | null {
  return keys.find(key) ?? null
}

/** The principal of an account token that is valid and was not revoked. */
export function byToken(token: string, { reader, verifyToken }: Credentials): Principal | null {
  const claims = verifyToken(token)
  return claims === null ? null : (reader.byToken(claims) ?? null)
}
