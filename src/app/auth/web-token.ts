/**
 * JSON Web Tokens of the gateway: HS256 and nothing else, each for one audience. jose is loaded when
 * the first one is signed or read: who uses keys alone needs none.
 */
import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'

const ISSUER = 'roost'

export interface SignRequest {
  /** What the token is for: a token for one audience is worthless for another. */
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
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
}

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

interface Reader {
  readonly key: Uint8Array
  readonly audience: string
  readonly nowMs: number
}

/** What stands in a token; null when it is not ours, not for this audience, or expired. */
export async function readWebToken(token: string, reader: Reader): Promise<WebTokenClaims | null> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, reader.key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: reader.audience,
      requiredClaims: ['sub', 'exp', 'jti'],
      currentDate: new Date(reader.nowMs),
    })
    const { sub, jti, exp } = payload
    return sub === undefined || jti === undefined || exp === undefined ? null : { ...payload, sub, jti, exp }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
