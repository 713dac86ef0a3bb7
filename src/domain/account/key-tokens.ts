/**
 * Short-lived tokens made from an API key. They are invalid once the key is revoked. A token allows only its
 * scopes.
 */
export interface KeyTokens {
  issue(request: KeyTokenRequest): Promise<IssuedKeyToken>
  /** Null: the token is forged, expired or of another kind. This does not check whether it was revoked. */
  verify(token: string): Promise<KeyTokenClaims | null>
}

interface KeyTokenContent {
  readonly keyId: string
  readonly scopes: readonly string[]
  /** Only in a refresh token: the id and the scopes of the token that it renews. */
  readonly renews?: { readonly jti: string; readonly scopes: readonly string[] }
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

/** The id of a revoked token in the database. It contains the key's id: a key revokes only its own tokens. */
export function keyTokenId(keyId: string, jti: string): string {
  return `${keyId} ${jti}`
}
