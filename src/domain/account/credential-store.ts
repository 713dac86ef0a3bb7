import type { Tx } from '#domain/tx.ts'

export interface SetupToken {
  /** SHA-256. */
  readonly hash: Uint8Array
  readonly accountId: string
  /** Wall-clock milliseconds. */
  readonly expiresAt: number
}

/** The setup link, revoked tokens and the number of keys, for the writer. */
export interface CredentialStore {
  /** Replaces the earlier token, if there is one. */
  saveSetupToken(tx: Tx, token: SetupToken): void
  findSetupToken(tx: Tx, hash: Uint8Array): SetupToken | undefined
  removeSetupToken(tx: Tx): void
  /** False: it was revoked before. */
  revokeToken(tx: Tx, token: { readonly jti: string; readonly expiresAt: number }): boolean
  /** Forgets revocations of tokens that expired before this time, in milliseconds since 1970. */
  forgetRevoked(tx: Tx, before: number): void
  countValidKeys(tx: Tx, accountId: string): number
}
