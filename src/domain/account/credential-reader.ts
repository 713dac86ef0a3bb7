import type { ApiKey } from '#domain/account/account-store.ts'

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
