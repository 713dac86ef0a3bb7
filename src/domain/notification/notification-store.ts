import type { DeliveryStatus, DisabledReason } from '#contracts/notification.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { LaneDue } from '#domain/notification/lane-agenda.ts'
import type { Tx } from '#domain/tx.ts'

/** Where an account wants its notifications. Times are wall-clock milliseconds. */
export interface NotificationSetting {
  readonly accountId: string
  /** Null: none; the row is there for its secret, with which messages' own URLs are signed. */
  readonly url: string | null
  readonly events: readonly NotificationEventName[]
  readonly enabled: boolean
  readonly secret: string
  /** Whether an answer has told the secret since it was made or its URL was removed. */
  readonly secretShown: boolean
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: number | null
  readonly failingSince: number | null
}

export interface LoggedAttempt {
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The beginning of the answer; null: none came. */
  readonly answer: string | null
}

/** One notification on its way, or at its end. */
export interface Delivery {
  readonly id: string
  readonly accountId: string
  readonly event: NotificationEventName
  /** The message, received message or device that it tells of: its notifications keep their order. */
  readonly subjectId: string
  /** The message's own; null: the account's at the time when it is sent. */
  readonly ownUrl: string | null
  /** What shares a receiver, see `laneOf`. */
  readonly lane: string
  readonly body: string
  readonly createdAt: number
  readonly status: DeliveryStatus
  /** How often it was sent. */
  readonly attempts: number
  /** How often in this round of the schedule: a replay begins a new one. */
  readonly tries: number
  /** Wall clock; 0: at once, whatever a clock that was set back says. */
  readonly nextAt: number
  readonly sentTo: string | null
  readonly responseStatus: number | null
  readonly error: string | null
  readonly log: readonly LoggedAttempt[]
}

/** What the database remembers of notifications. Reads see the transaction's own writes. */
export interface NotificationStore {
  setting(tx: Tx, accountId: string): NotificationSetting | undefined
  saveSetting(tx: Tx, setting: NotificationSetting): void
  /**
   * Since when the target of messages' own URLs fails; null: its last attempt succeeded, or there was none.
   */
  failingSince(tx: Tx, lane: string): number | null
  saveFailing(tx: Tx, lane: string, since: number): void
  forgetFailing(tx: Tx, lane: string): void
  /** Targets that fail do so since that much later, at most since `now`: the clock was set forward. */
  delayFailing(tx: Tx, by: { readonly ms: number; readonly now: number }): void
  insert(tx: Tx, delivery: Delivery): void
  /** Writes what an attempt or a replay can change. */
  save(tx: Tx, delivery: Delivery): void
  find(tx: Tx, id: string): Delivery | undefined
  /** Lanes with something pending, the first due first, at most that many. */
  lanesDue(tx: Tx, limit: number): LaneDue[]
  /** Of one lane, the longest due first; none whose subject has an earlier one that was not tried yet. */
  due(tx: Tx, which: { readonly lane: string; readonly now: number; readonly limit: number }): Delivery[]
  /** When the first one of the lane after `now` is due; null: none. */
  nextDueAt(tx: Tx, which: { readonly lane: string; readonly now: number }): number | null
  /** Makes due what waits for a time after `limit`: the clock was set back. How many those were. */
  pullIn(tx: Tx, limit: number): number
  /** Of the lane, the longest due first. */
  cancelLane(tx: Tx, lane: string, limit: number): void
  cancelSubject(tx: Tx, subjectId: string): void
  /** Whether one of the subject's failed with 410. */
  isGone(tx: Tx, subjectId: string): boolean
  /**
   * Makes pending again what was made since then and failed or was cancelled; answers how many, at most
   * `limit`.
   */
  replaySince(tx: Tx, which: { accountId: string; since: number; limit: number }): number
}
