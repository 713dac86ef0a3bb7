/**
 * Account tokens (JWT): a request with one acts for a user of an account. The signing key is a file beside
 * the database.
 */
import { readWebToken, type SignedToken, signWebToken } from '#app/auth/web-token.ts'
import { TOKEN_LENGTH_MAX } from '#contracts/bounds.ts'
import type { TokenIdentity } from '#domain/account/principal.ts'
import { firstUserId } from '#domain/account/user.ts'

/** A token that ends later than this from now is refused: `TOKEN_TTL_S_MAX`, and a day for clock changes. */
const TOKEN_LIFE_S_MAX = 31_708_800

const AUDIENCE = 'roost-api'

export interface TokenRequest {
  readonly accountId: string
  readonly userId: string
  /** The user's `tokenVersion`; when that is raised, this token is no longer valid. */
  readonly version: number
  readonly ttlS: number
  readonly key: Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** Signs a token that is valid for `ttlS` seconds. */
export function issueAccountToken(request: TokenRequest): Promise<SignedToken> {
  const { accountId: subject, userId: usr, version: ver, ttlS, key, nowMs } = request
  return signWebToken({ audience: AUDIENCE, subject, claims: { usr, ver }, ttlS, key, nowMs })
}

/** Reads a token. Null: another gateway signed it, it is not meant for the API, or it has expired. */
export function verifyAccountToken(token: string, key: Uint8Array, nowMs = Date.now()): TokenIdentity | null {
  const claims = readWebToken(token, { key, audience: AUDIENCE, nowMs })
  const version = claims?.['ver']
  if (claims === null || !isCount(version)) return null
  const { sub: accountId, jti, exp } = claims
  // Tokens from before there were users name only the account.
  const userId = typeof claims['usr'] === 'string' ? claims['usr'] : firstUserId(accountId)
  return { accountId, userId, jti, version, expiresAt: exp * 1000 }
}

/**
 * Like `verifyAccountToken`, but also null for a token that is longer, or valid for longer, than any that the
 * gateway issues.
 */
export function admitToken(token: string, key: Uint8Array, nowMs = Date.now()): TokenIdentity | null {
  const claims = token.length > TOKEN_LENGTH_MAX ? null : verifyAccountToken(token, key, nowMs)
  return claims === null || claims.expiresAt > nowMs + TOKEN_LIFE_S_MAX * 1000 ? null : claims
}

function isCount(claim: unknown): claim is number {
  return Number.isSafeInteger(claim)
}
