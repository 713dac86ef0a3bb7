import { verifyAccountToken } from '#app/auth/account-token.ts'
import { TOKEN_LENGTH_MAX, TOKEN_LIFE_S_MAX } from '#contracts/bounds.ts'
import type { TokenIdentity } from '#domain/account/principal.ts'

/**
 * Whom a token speaks for; null also when it is longer, or says it lives longer, than any that was
 * issued.
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
