/**
 * The gateway's JSON Web Tokens (RFC 7519). All are signed with HS256, and each has one audience. The package
 * jose is imported when the first token is signed or read, because callers with API keys alone do not need
 * it.
 */
import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'

const ISSUER = 'roost'

export interface SignRequest {
  /** The API that the token is for. A token for one audience is invalid for all others. */
  readonly audience: string
  readonly subject: string
  readonly claims: JWTPayload
  readonly ttlS: number
  readonly key: Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

export interface SignedToken {
  readonly token: string
  readonly jti: string
  /** Milliseconds since 1970, rounded to a whole second. */
  readonly expiresAt: number
}

/** Signs a token with a new random id (`jti`). */
export async function signWebToken(request: SignRequest): Promise<SignedToken> {
  const { SignJWT } = await import('jose')
  const issuedAtS = Math.floor(request.nowMs / 1000)
  const expiresAtS = issuedAtS + request.ttlS
  const jti = randomUUID()
  const token = await new SignJWT(request.claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(request.audience)
    .setSubject(request.subject)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresAtS)
    .setJti(jti)
    .sign(request.key)
  return { token, jti, expiresAt: expiresAtS * 1000 }
}

export interface WebTokenClaims extends JWTPayload {
  readonly sub: string
  readonly jti: string
  /** Seconds since 1970. */
  readonly exp: number
}

/** What a valid token must match. */
interface Expected {
  readonly key: Uint8Array
  readonly audience: string
  readonly nowMs: number
}

/** The claims of a token. Null: its signature or audience is wrong, or it has expired. */
export async function readWebToken(token: string, expected: Expected): Promise<WebTokenClaims | null> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, expected.key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: expected.audience,
      requiredClaims: ['sub', 'exp', 'jti'],
      currentDate: new Date(expected.nowMs),
    })
    const { sub, jti, exp } = payload
    return sub === undefined || jti === undefined || exp === undefined ? null : { ...payload, sub, jti, exp }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
