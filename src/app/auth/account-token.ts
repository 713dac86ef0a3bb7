/** Account tokens: JSON Web Tokens, HS256 only. The signing key is kept in a file beside the database. */
import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { TOKEN_LENGTH_MAX, TOKEN_LIFE_S_MAX } from '#contracts/bounds.ts'
import type { TokenIdentity } from '#domain/account/principal.ts'

export const TOKEN_ISSUER = 'roost'
export const TOKEN_AUDIENCE = 'roost-api'

export interface TokenRequest {
  readonly accountId: string
  /** The account's `tokenVersion`; when that is raised, this token is no longer valid. */
  readonly version: number
  readonly ttlS: number
  readonly key: Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

export interface IssuedToken {
  readonly token: string
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
}

export async function issueAccountToken(request: TokenRequest): Promise<IssuedToken> {
  const issuedAtS = Math.floor(request.nowMs / 1000)
  const expiresAtS = issuedAtS + request.ttlS
  const token = await new SignJWT({ ver: request.version })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(request.accountId)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresAtS)
    .setJti(randomUUID())
    .sign(request.key)
  return { token, expiresAt: expiresAtS * 1000 }
}

export interface AccountTokenClaims {
  readonly accountId: string
  /** Names this token, for revocation. */
  readonly jti: string
  readonly version: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The account that the token was issued to. Null: the token is not ours, not for the API, or expired. */
export async function verifyAccountToken(
  token: string,
  key: Uint8Array,
  nowMs = Date.now(),
): Promise<AccountTokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ['sub', 'exp', 'jti', 'ver'],
      currentDate: new Date(nowMs),
    })
    const { sub, jti, exp, ver: version } = payload
    if (sub === undefined || jti === undefined || exp === undefined || !isCount(version)) return null
    return { accountId: sub, jti, version, expiresAt: exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/**
 * Like `verifyAccountToken`, but also null for a token that is longer, or valid for longer, than any that the
 * gateway issues.
 */
export async function admitToken(
  token: string,
  key: Uint8Array,
  nowMs = Date.now(),
): Promise<TokenIdentity | null> {
  if (token.length > TOKEN_LENGTH_MAX) return null
  const claims = await verifyAccountToken(token, key, nowMs)
  if (claims === null || claims.expiresAt > nowMs + TOKEN_LIFE_S_MAX * 1000) return null
  return claims
}

function isCount(claim: unknown): claim is number {
  return Number.isSafeInteger(claim)
}
