import type { ApiKey } from '#domain/account/account-store.ts'
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

export interface Login {
  readonly userId: string
  readonly accountId: string
  /** Null: no password was set yet. */
  readonly passwordHash: string | null
  /** The user's token version, which tokens issued for this login contain. */
  readonly tokenVersion: number
}

/** The look-ups of a listener for logins. Each answer is as fresh as the last commit. */
export interface CredentialReader {
  /** A login that is not disabled. */
  findLogin(email: string): Login | undefined
  isSetupToken(hash: Uint8Array, wallMs: number): boolean
  /** A bounded number of keys: valid keys first, then revoked ones, each group from newest to oldest. */
  keysOf(accountId: string): readonly ApiKey[]
}
