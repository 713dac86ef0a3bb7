import { createHash } from 'node:crypto'
import type { Principal, PrincipalReader, VerifyToken } from '#domain/account/principal.ts'
import type { RememberedKeys } from '#domain/account/remembered-keys.ts'
import type { RememberedSessions } from '#domain/account/remembered-sessions.ts'
import { Problem } from '#domain/problem.ts'
import type { Exchange } from '#transport/http/exchange.ts'
import { sessionHalves } from '#transport/http/session-cookie.ts'

export interface Credentials {
  readonly reader: PrincipalReader
  readonly keys: RememberedKeys
  readonly verifyToken: VerifyToken
  readonly sessions: Pick<RememberedSessions, 'find'>
  /** In the name of the cookie of a session. */
  readonly cookieTag: string
}

/**
 * Identifies the caller. Routes that accept keys: by a key in `X-API-Key`, as `Authorization: Bearer sk_…` or
 * as the password of `Authorization: Basic`. All routes: by an account token in `Authorization: Bearer`, or
 * by a session. The result for a key or a session is immediate; a token's signature takes a turn of the event
 * loop. Null: no valid credential.
 */
export function authenticate(
  exchange: Exchange,
  credentials: Credentials,
  access: 'key' | 'account',
): Principal | null | Promise<Principal | null> {
  const key = exchange.headers['x-api-key']
  if (key !== undefined && access === 'key') return byKey(key, credentials)
  const authorization = exchange.headers['authorization']
  const secret = bearerOf(authorization) ?? passwordOf(authorization)
  if (secret === null) return bySession(exchange.headers, credentials)
  if (access === 'key' && secret.startsWith('sk_')) return byKey(secret, credentials)
  return byToken(secret, credentials)
}

/** The credential of `Authorization: Bearer`, if that is what it is. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** The password of `Authorization: Basic`: what follows the first colon. */
export function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,4096}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const [, password] = /^[^:]*:(sk_\w+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  return password ?? null
}

/** The principal of a session: its cookie and its other half must both be sent. */
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

/** SHA-256: only hashes of secrets are stored. */
export function hashOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

export function unauthorized(access: 'key' | 'account'): Problem {
  const fix =
    access === 'key'
      ? 'send a valid API key in the header X-API-Key, as Authorization: Bearer or as password of Basic'
      : 'send an account token in the header Authorization: Bearer; an API key is not enough here'
  return new Problem('UNAUTHORIZED', fix)
}

function byKey(key: string, { keys }: Credentials): Principal | null {
  return keys.find(key) ?? null
}

async function byToken(token: string, { reader, verifyToken }: Credentials): Promise<Principal | null> {
  const claims = await verifyToken(token)
  return claims === null ? null : (reader.byToken(claims) ?? null)
}
