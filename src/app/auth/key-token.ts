/**
 * Key tokens (JWT). A client of the SMSGate API gets one in exchange for an API key. The token is valid only
 * in that API, and only for the scopes in it.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { readWebToken, signWebToken } from '#app/auth/web-token.ts'
import { TOKEN_LENGTH_MAX } from '#contracts/bounds.ts'
import { chainOf, type KeyTokenClaims, type KeyTokens } from '#domain/account/key-tokens.ts'

const AUDIENCE = 'roost-smsgate'
const Scopes = v.array(v.string())
const Claims = v.object({
  scopes: Scopes,
  /** Only in a refresh token: the scopes of the token that it renews, and the step of its chain. */
  renews: v.optional(v.object({ scopes: Scopes, step: v.number() })),
})

/** Issues and verifies key tokens with this signing key. */
export function keyTokens(key: Uint8Array, wallMs: () => number): KeyTokens {
  const read = (token: string): KeyTokenClaims | null => {
    const signed = readWebToken(token, { key, audience: AUDIENCE, nowMs: wallMs() })
    const claims = v.safeParse(Claims, signed)
    if (signed === null || !claims.success) return null
    const { scopes, renews } = claims.output
    const { sub: keyId, jti, exp } = signed
    const chain = chainOf(jti)
    if (chain === null) return null
    return { keyId, chain, scopes, jti, expiresAt: exp * 1000, ...(renews && { renews }) }
  }
  return {
    issue({ keyId, chain, scopes, renews, ttlS }) {
      const claims = { scopes: [...scopes], ...(renews && { renews }) }
      const jti = `${chain}_${randomBytes(6).toString('base64url')}`
      return signWebToken({ audience: AUDIENCE, subject: keyId, jti, claims, ttlS, key, nowMs: wallMs() })
    },
    verify: token => (token.length <= TOKEN_LENGTH_MAX ? read(token) : null),
  }
}
