/** Short-lived tokens that stand for an API key. They die with the key, and may do what their scopes name. */
export interface KeyTokens {
  issue(request: KeyTokenRequest): Promise<IssuedKeyToken>
  /** Null when the token is not one of these, or expired. */
  verify(token: string): Promise<KeyTokenClaims | null>
}

export interface KeyTokenClaims {
  readonly keyId: string
  readonly scopes: readonly string[]
}

export interface KeyTokenRequest extends KeyTokenClaims {
  readonly ttlS: number
}

export interface IssuedKeyToken {
  readonly token: string
  readonly jti: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}
