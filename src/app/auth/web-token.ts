/**
 * The gateway's JSON Web Tokens (RFC 7519). All are signed with HS256, and each has one audience. The package
 * jose is imported when the first token is signed or read, because callers with API keys alone do not need
 * it.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { JWTPayload } from 'jose'

const ISSUER = 'roost'

export interface SignRequest {
  /** The API that the token is for. A token for one audience is invalid for all others. */
  readonly audience: string
  readonly subject: string
  /** Default: a random id. */
  readonly jti?: string
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

/** Signs a token. */
export async function signWebToken(request: SignRequest): Promise<SignedToken> {
  const { SignJWT } = await import('jose')
  const issuedAtS = Math.floor(request.nowMs / 1000)
  const expiresAtS = issuedAtS + request.ttlS
  const jti = request.jti ?? randomUUID()
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

/**
 * Whether this key signed the token. It takes 10 µs, where reading a token takes 0.3 ms, so a stranger's
 * token is refused at once.
 */
export function isSignedToken(token: string, key: Uint8Array): boolean {
  const [, signed, signature] = /^([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(token) ?? []
  if (signed === undefined || signature === undefined) return false
  const right = createHmac('sha256', key).update(signed).digest('base64url')
  return right.length === signature.length && timingSafeEqual(Buffer.from(right), Buffer.from(signature))
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
