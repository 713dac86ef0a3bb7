/** Short-lived tokens that stand for an API key. They end with the key, and allow only their scopes. */
export interface KeyTokens {
  issue(request: KeyTokenRequest): Promise<IssuedKeyToken>
  /** Null: the token is expired or of another kind. This does not check whether it was revoked. */
  verify(token: string): Promise<KeyTokenClaims | null>
}

interface KeyTokenContent {
  readonly keyId: string
  readonly scopes: readonly string[]
  /** Of a token that is exchanged for a new one: the id and the scopes of the token that it renews. */
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

/** The id under which the revocation of a key's token is kept: a key revokes its own tokens only. */
export function keyTokenId(keyId: string, jti: string): string {
  return `${keyId} ${jti}`
}
