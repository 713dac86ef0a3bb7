/**
 * Short-lived tokens made from an API key. They are invalid once the key is revoked. A token allows only its
 * scopes.
 */
export interface KeyTokens {
  issue(request: KeyTokenRequest): Promise<IssuedKeyToken>
  /** Null: the token is forged, expired or of another kind. Does not check whether it was revoked. */
  verify(token: string): KeyTokenClaims | null
}

interface KeyTokenContent {
  readonly keyId: string
  readonly scopes: readonly string[]
  /** The chain of tokens in which each renews the one before. */
  readonly chain: string
  /** Only in a refresh token: the scopes of the token that it renews, and the step of the chain. */
  readonly renews?: { readonly scopes: readonly string[]; readonly step: number }
}

export interface KeyTokenClaims extends KeyTokenContent {
  readonly jti: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface KeyTokenRequest extends KeyTokenContent {
  readonly ttlS: number
}

export interface IssuedKeyToken {
  readonly token: string
  readonly jti: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The chain of a token, from the token's id; null: no id of a key token. */
export function chainOf(jti: string): string | null {
  return /^([0-9a-f-]{36})_[\w-]{8}$/.exec(jti)?.[1] ?? null
}
