/** The writer's commands for accounts, API keys, sessions, account tokens and first-run setup. */
import type { AccountResource, KeyResource } from '#contracts/account.ts'
import type { OpenedSessionResource } from '#contracts/session.ts'
import type { UserReference } from '#contracts/user.ts'

/** A removed account, and how many rows of each kind were deleted with it. */
export interface RemovedAccount {
  readonly accountId: string
  readonly email: string
  readonly devices: number
  readonly messages: number
  readonly received: number
  readonly webhooks: number
}

/** The account that owns the machine, and the modems in use. */
export interface Machine {
  /** The account that the machine belongs to: the oldest. Null: there is none yet. */
  readonly owner: string | null
  /** The modems that are phones, the oldest first. */
  readonly modems: readonly {
    readonly deviceId: string
    readonly accountId: string
    readonly name: string
  }[]
}

interface NewKey {
  readonly name: string
  readonly test: boolean
  /** Whether emoji and markup are removed from texts sent with this key; absent: false. */
  readonly cleanText?: boolean
}

export interface AccountCommands {
  'account.create': {
    /** `plan`: null for the configured plan of new accounts. */
    input: { readonly email: string; readonly plan: string | null; readonly passwordHash: string | null }
    output: AccountResource
  }
  'account.find': {
    input: { readonly email: string }
    /** Also the owner that names the account. A token of that user is valid only with this version. */
    output: AccountResource & { readonly userId: string; readonly tokenVersion: number }
  }
  'machine.describe': { input: Record<never, never>; output: Machine }
  'account.list': { input: Record<never, never>; output: readonly AccountResource[] }
  'account.set-plan': { input: { readonly email: string; readonly plan: string }; output: AccountResource }
  'account.set-password': {
    input: { readonly email: string; readonly passwordHash: string }
    output: AccountResource
  }
  'account.remove': { input: { readonly email: string }; output: RemovedAccount }
  /** Removes some rows that ended accounts have left behind; `left`: there are more. */
  'account.erase': { input: Record<never, never>; output: { readonly left: boolean } }
  'key.create': {
    input: NewKey & { readonly email: string }
    output: { readonly key: string; readonly record: KeyResource }
  }
  /** `email`: list the keys of this account; null: of all accounts. */
  'key.list': { input: { readonly email: string | null }; output: readonly KeyResource[] }
  'key.revoke': {
    /** `accountId`: only a key of this account; null: a key of any account. */
    input: { readonly id: string; readonly accountId: string | null }
    output: { readonly id: string; readonly accountId: string }
  }
  'key.create-own': {
    input: NewKey & { readonly accountId: string }
    output: { readonly key: string; readonly record: KeyResource }
  }
  'key.note-use': { input: { readonly id: string }; output: null }
  'key-token.open': {
    /** `chain`: its new id. `parent`: the chain of the token that asks for it; null: the key itself asks. */
    input: {
      readonly accountId: string
      readonly keyId: string
      readonly chain: string
      readonly parent: string | null
    }
    output: boolean
  }
  'key-token.renew': {
    input: { readonly keyId: string; readonly chain: string; readonly step: number }
    output: boolean
  }
  'key-token.end': { input: { readonly keyId: string; readonly chain: string }; output: null }
  'session.open': {
    input: {
      readonly userId: string
      /** The token version when the password was checked. If it has changed since, the login is refused. */
      readonly tokenVersion: number
      readonly address: string
      readonly browser: string
    }
    output: OpenedSessionResource & { readonly cookie: string }
  }
  'session.end': {
    input: UserReference & { readonly id: string }
    output: { readonly id: string }
  }
  /** Writes down what a user did that changed nothing else. */
  'audit.note': {
    input: { readonly accountId: string; readonly what: 'auth.login' | 'token.create' | 'table.export' }
    output: null
  }
  'session.touch': { input: { readonly id: string }; output: null }
  'account.change': {
    input: {
      readonly userId: string
      readonly tokenVersion: number
      /** The session to keep when the password changes; null: end all of them. */
      readonly sessionId: string | null
      /** Null: unchanged. */
      readonly email: string | null
      /** Null: unchanged. */
      readonly passwordHash: string | null
    }
    output: AccountResource
  }
  'account.revoke-token': {
    /** `jti`: the token's id (RFC 7519). `expiresAt`: milliseconds since 1970. */
    input: { readonly jti: string; readonly expiresAt: number }
    /** False: it was revoked before. */
    output: boolean
  }
  'setup.create-token': {
    input: Record<never, never>
    /** Null: the owner already has a password, so setup is over. */
    output: { readonly token: string; readonly expiresAt: string } | null
  }
  'setup.complete': {
    input: { readonly token: string; readonly email: string; readonly passwordHash: string }
    output: AccountResource
  }
}
