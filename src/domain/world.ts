/**
 * What a use case gets: the transaction it runs in, the stores, the memory, the time, and where effects go.
 */
import type { PhoneOrder } from '#contracts/phone-orders.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { AccountStore } from '#domain/account/account-store.ts'
import type { CredentialStore } from '#domain/account/credential-store.ts'
import type { DayCounts } from '#domain/account/day-counts.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { SessionStore } from '#domain/account/session-store.ts'
import type { Usage } from '#domain/account/usage.ts'
import type { Deadlines } from '#domain/deadlines.ts'
import type { DeviceStore } from '#domain/device/device-store.ts'
import type { PairingTries } from '#domain/device/pairing-tries.ts'
import type { Connection } from '#domain/device/phone.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { MessageStore } from '#domain/message/message-store.ts'
import type { NotificationStore } from '#domain/notification/notification-store.ts'
import type { Outbox } from '#domain/notification/outbox.ts'
import type { TidyStore } from '#domain/retention/tidy-store.ts'
import type { Now } from '#domain/time.ts'
import type { LiveCodes } from '#domain/two-factor/live-codes.ts'
import type { TwoFactorStore } from '#domain/two-factor/two-factor-store.ts'
import type { Tx } from '#domain/tx.ts'
import type { SeenTriggerStore } from '#domain/webhook/seen-trigger-store.ts'
import type { WebhookStore } from '#domain/webhook/webhook-store.ts'

/** What leaves the writer after the commit, in order. */
export type Effect =
  | { readonly kind: 'order'; readonly connection: Connection; readonly order: PhoneOrder }
  /** Threads that remember credentials or plans must forget them. */
  | { readonly kind: 'credentials' }
  | { readonly kind: 'alarm'; readonly alarm: string; readonly messageId: string }
  /** Something may be due for the sender of notifications. */
  | { readonly kind: 'notifications' }
  /** A line of the log. */
  | ({ readonly kind: 'log' } & LogEntry)

/** Identifiers and secrets, drawn by the outside world. */
export interface Source {
  /** `prefix` + ULID; later ones sort later, also within a millisecond. */
  id(prefix: 'acc_' | 'key_' | 'dev_' | 'msg_' | 'ses_' | 'rcv_' | 'evt_' | 'whk_', wallMs: number): string
  /** `whsec_` and base64 of 32 bytes. */
  signingSecret(): string
  /** A secret of 32 base62 characters behind its prefix, with a checksum; no prefix: for use in a path. */
  secret(prefix: 'sk_live_' | 'sk_test_' | 'dvt_' | '' | 'stp_'): string
  /** Decimal digits. */
  digits(count: number): string
  /** SHA-256. */
  hash(secret: string): Uint8Array
  /** HMAC-SHA256 under the code key, for what is too short for a bare hash; says nothing without that key. */
  mac(text: string): Uint8Array
  /** Whether two of them are the same, in a time that does not tell where they differ. */
  isSameMac(one: Uint8Array, other: Uint8Array): boolean
}

export interface Settings {
  readonly offlineAfterMs: number
  readonly segmentsPerMinute: number
  readonly segmentsBurst: number
  readonly messageTtlMs: number
  /** Texts and numbers are removed after this. */
  readonly retentionMs: number
  /** One-time codes to one number in ten minutes; -1: unlimited. */
  readonly codesPerNumber: number
  readonly publicUrl: string
  plan(name: string): Plan | undefined
  readonly planNames: readonly string[]
}

export interface Stores {
  readonly accounts: AccountStore
  readonly credentials: CredentialStore
  readonly devices: DeviceStore
  readonly messages: MessageStore
  readonly notifications: NotificationStore
  readonly sessions: SessionStore
  readonly twoFactor: TwoFactorStore
  readonly tidy: TidyStore
  readonly webhooks: WebhookStore
  readonly seenTriggers: SeenTriggerStore
}

export interface World extends Stores {
  readonly tx: Tx
  readonly now: Now
  readonly source: Source
  readonly settings: Settings
  readonly fleet: Fleet
  readonly usage: Usage
  readonly dayCounts: DayCounts
  readonly deadlines: Deadlines
  readonly outbox: Outbox
  readonly liveCodes: LiveCodes
  readonly pairingTries: PairingTries
  /** The gateway stops: phones finish what they were told and get nothing new. */
  readonly stopping: boolean
  readonly effects: Effect[]
}
