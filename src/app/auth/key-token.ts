/**
 * Key tokens (JWT). A client of the SMSGate API gets one in exchange for an API key. The token is valid only
 * in that API, and only for the scopes in it.
 */
import * as v from 'valibot'
import { readWebToken, signWebToken } from '#app/auth/web-token.ts'
import { TOKEN_LENGTH_MAX } from '#contracts/bounds.ts'
import type { KeyTokens } from '#domain/account/key-tokens.ts'

const AUDIENCE = 'roost-smsgate'
const Scopes = v.array(v.string())
const Claims = v.object({
  scopes: Scopes,
  /** Only in a refresh token: the id and the scopes of the token that it renews. */
  renews: v.optional(v.object({ jti: v.string(), scopes: Scopes })),
})

/** Issues and verifies key tokens with this signing key. */
export function keyTokens(key: Uint8Array, wallMs: () => number): KeyTokens {
  return {
    issue({ keyId, scopes, renews, ttlS }) {
      const claims = { scopes: [...scopes], ...(renews && { renews }) }
      return signWebToken({ audience: AUDIENCE, subject: keyId, claims, ttlS, key, nowMs: wallMs() })
    },
    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return null
      const signed = await readWebToken(token, { key, audience: AUDIENCE, nowMs: wallMs() })
      const claims = v.safeParse(Claims, signed)
      if (signed === null || !claims.success) return null
      const { scopes, renews } = claims.output
      const { sub: keyId, jti, exp } = signed
      return { keyId, scopes, jti, expiresAt: exp * 1000, ...(renews && { renews }) }
    },
  }
}
