/** Who calls: an account, by one of its keys or by its token. */
export interface Principal {
  readonly accountId: string
  /** The name of the account's plan. */
  readonly plan: string
  /** Called with a sandbox key. */
  readonly test: boolean
  readonly by: 'key' | 'token'
}

export interface DeviceIdentity {
  readonly deviceId: string
  readonly accountId: string
}

/** Looks credentials up; each answer is as fresh as the last commit, so a revocation counts at once. */
export interface PrincipalReader {
  /** By the SHA-256 of a key that is not revoked. */
  byKey(hash: Uint8Array): Principal | undefined
  byAccount(accountId: string): Principal | undefined
  /** By the SHA-256 of a device's token. */
  device(hash: Uint8Array): DeviceIdentity | undefined
}

/** Checks the signature and the claims of an account's token (JWT). */
export type VerifyToken = (token: string) => Promise<{ readonly accountId: string } | null>
