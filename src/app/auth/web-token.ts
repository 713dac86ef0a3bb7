/**
 * The gateway's JSON Web Tokens (RFC 7519). All are signed with HS256, and each has one audience. The package
 * jose is imported when the first token is signed. A token is read here, because jose answers only in a later
 * turn of the event loop, and a WebSocket can be accepted only in the turn of its request.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { JWTPayload } from 'jose'
import * as v from 'valibot'

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

const Claims = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    iss: v.literal(ISSUER),
    aud: v.string(),
    sub: v.string(),
    jti: v.string(),
    /** Seconds since 1970. */
    exp: v.number(),
  }),
)

/** What a valid token must match. */
interface Expected {
  readonly key: Uint8Array
  readonly audience: string
  readonly nowMs: number
}

/**
 * The claims of a token. Null: this key did not sign it, it is for another audience, or it has expired. Only
 * this gateway has the key, so the algorithm in the head of a signed token is the one that it used.
 */
export function readWebToken(token: string, { key, audience, nowMs }: Expected) {
  const [, signed, payload, signature] = /^([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(token) ?? []
  if (signed === undefined || payload === undefined || signature === undefined) return null
  const right = createHmac('sha256', key).update(signed).digest('base64url')
  if (right.length !== signature.length || !timingSafeEqual(Buffer.from(right), Buffer.from(signature)))
    return null
  const claims = v.safeParse(Claims, Buffer.from(payload, 'base64url').toString())
  if (!claims.success || claims.output.aud !== audience) return null
  return claims.output.exp > Math.floor(nowMs / 1000) ? claims.output : null
}
