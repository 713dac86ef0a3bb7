import type { DeviceProtocol } from '#contracts/phone-orders.ts'
import type { Role } from '#contracts/user.ts'

/** The authenticated caller of a request: its account, and the kind of credential that it used. */
export interface Principal {
  readonly accountId: string
  /** The name of the account's plan. */
  readonly plan: string
  /** Whether the request used a sandbox key. */
  readonly test: boolean
  readonly by: 'key' | 'token' | 'session'
  /** Who is logged in; not with `by: 'key'`, because a key belongs to the account. */
  readonly user?: { readonly id: string; readonly role: Role }
  /** The key of the request; only with `by: 'key'`. */
  readonly keyId?: string
  /** Emoji and markup are removed from texts sent with this key; only with `by: 'key'`. */
  readonly cleanText?: boolean
  /** The token of the request; only with `by: 'token'`. */
  readonly token?: TokenIdentity
  /** The session of the request; only with `by: 'session'`. `expiresAt` is in milliseconds since 1970. */
  readonly session?: { readonly id: string; readonly expiresAt: number }
}

export interface TokenIdentity {
  readonly accountId: string
  readonly userId: string
  readonly jti: string
  readonly version: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface DeviceIdentity {
  readonly deviceId: string
  readonly accountId: string
  readonly protocol: DeviceProtocol
}

/** Looks up credentials; each answer is as fresh as the last commit, so a revocation applies at once. */
export interface PrincipalReader {
  /** By the SHA-256 of a key that is not revoked. */
  byKey(hash: Uint8Array): Principal | undefined
  /** By the id of a key that is not revoked. */
  byKeyId(keyId: string): Principal | undefined
  /** By the claims of a token that was not revoked and has the user's token version. */
  byToken(token: TokenIdentity): Principal | undefined
  /** Whether the tokens of this chain (`KeyTokens`) are valid: it has not been revoked. */
  isChainValid(keyId: string, chain: string): boolean
  /** By the SHA-256 of a device's token. */
  device(hash: Uint8Array): DeviceIdentity | undefined
  /** Whether any device was ever paired here. */
  hasDevices(): boolean
  /** By its id; undefined: it does not exist, or was removed. */
  deviceById(id: string): DeviceIdentity | undefined
}

/** Checks the signature and the claims of an account's token (JWT); null: it is not valid. */
export type VerifyToken = (token: string) => TokenIdentity | null
