/** What can be asked of the writer about accounts and about everything that lets people in. */
import type { AccountResource, KeyResource } from '#contracts/account.ts'
import type { OpenedSessionResource } from '#contracts/session.ts'

/** An account that is gone, and how many of its things went with it. */
export interface RemovedAccount {
  readonly accountId: string
  readonly email: string
  readonly devices: number
  readonly messages: number
  readonly received: number
  readonly webhooks: number
}

interface NewKey {
  readonly name: string
  readonly test: boolean
  /** Whether texts sent with it are freed of emoji and markup; false when it is left out. */
  readonly cleanText?: boolean
}

export interface AccountCommands {
  'account.create': {
    input: { readonly email: string; readonly plan: string; readonly passwordHash: string | null }
    output: AccountResource
  }
  'account.find': {
    input: { readonly email: string }
    /** With the version that a token for this account must be of. */
    output: AccountResource & { readonly tokenVersion: number }
  }
  'account.list': { input: Record<never, never>; output: readonly AccountResource[] }
  'account.set-plan': { input: { readonly email: string; readonly plan: string }; output: AccountResource }
  'account.set-password': {
    input: { readonly email: string; readonly passwordHash: string }
    output: AccountResource
  }
  'account.remove': { input: { readonly email: string }; output: RemovedAccount }
  'key.create': {
    input: NewKey & { readonly email: string }
    output: { readonly key: string; readonly record: KeyResource }
  }
  'key.list': { input: { readonly email: string | null }; output: readonly KeyResource[] }
  'key.revoke': {
    input: { readonly id: string; readonly accountId: string | null }
    output: { readonly id: string }
  }
  'key.create-own': {
    input: NewKey & { readonly accountId: string }
    output: { readonly key: string; readonly record: KeyResource }
  }
  'key.note-use': { input: { readonly id: string }; output: null }
  'session.open': {
    input: {
      readonly accountId: string
      /** The account's version when its password was compared. */
      readonly tokenVersion: number
      readonly address: string
      readonly browser: string
    }
    output: OpenedSessionResource & { readonly cookie: string }
  }
  'session.end': {
    input: { readonly accountId: string; readonly id: string }
    output: { readonly id: string }
  }
  'session.touch': { input: { readonly id: string }; output: null }
  'account.change': {
    input: {
      readonly accountId: string
      readonly tokenVersion: number
      /** The session that stays when the password changes; null: none. */
      readonly sessionId: string | null
      /** Null: as it is. */
      readonly email: string | null
      readonly passwordHash: string | null
    }
    output: AccountResource
  }
  'account.record-login': { input: { readonly accountId: string; readonly address: string }; output: null }
  'account.revoke-token': {
    /** Milliseconds since 1970. */
    input: { readonly jti: string; readonly expiresAt: number }
    output: null
  }
  /** Null once the owner has a password. */
  'setup.create-token': {
    input: Record<never, never>
    output: { readonly token: string; readonly expiresAt: string } | null
  }
  'setup.complete': {
    input: { readonly token: string; readonly email: string; readonly passwordHash: string }
    output: AccountResource
  }
}
