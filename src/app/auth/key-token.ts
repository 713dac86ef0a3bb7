/** Key tokens: made from an API key by clients of SMSGate, good there alone and for what they name. */
import { readWebToken, signWebToken } from '#app/auth/web-token.ts'
import { TOKEN_LENGTH_MAX } from '#contracts/bounds.ts'
import type { KeyTokens } from '#domain/account/key-tokens.ts'

const AUDIENCE = 'roost-smsgate'

export function keyTokens(key: Uint8Array, wallMs: () => number): KeyTokens {
  return {
    issue({ keyId, scopes, ttlS }) {
      const claims = { scopes: [...scopes] }
      return signWebToken({ audience: AUDIENCE, subject: keyId, claims, ttlS, key, nowMs: wallMs() })
    },
    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return null
      const claims = await readWebToken(token, { key, audience: AUDIENCE, nowMs: wallMs() })
      if (claims === null) return null
      const scopes = claims['scopes']
      return Array.isArray(scopes) ? { keyId: claims.sub, scopes: scopes.map(String) } : null
    },
  }
}
