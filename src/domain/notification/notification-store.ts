import type { DeliveryStatus } from '#contracts/notification.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { Failing, TargetState } from '#domain/forward/failing.ts'
import type { LaneDue } from '#domain/notification/lane-agenda.ts'
import type { Tx } from '#domain/tx.ts'

/** The notification settings of an account. Times are wall-clock milliseconds. */
export interface NotificationSetting extends TargetState {
  readonly accountId: string
  /** Null: no URL. The row then only holds the secret, which signs notifications to messages' own URLs. */
  readonly url: string | null
  readonly events: readonly NotificationEventName[]
  readonly enabled: boolean
  readonly secret: string
  /** Whether an answer has shown the secret. A new secret and the removal of the URL reset this. */
  readonly secretShown: boolean
}

export interface LoggedAttempt {
  /** Wall-clock start of the attempt. */
  readonly at: number
  /** HTTP status of the answer. Null: no answer came. */
  readonly status: number | null
  /** A `DeliveryError`. Null: the answer was complete. */
  readonly error: string | null
  readonly durationMs: number
  /** The beginning of the answer's body. Null: there was no body. */
  readonly answer: string | null
}

/** One notification, pending or final. Times are wall-clock milliseconds. */
export interface Delivery {
  readonly id: string
  readonly accountId: string
  readonly event: NotificationEventName
  /**
   * What the event is about: a message, a received message, a device, or an alarm (`alarm CODE …`).
   * Each waits until the earlier ones in its lane about the same subject were tried once.
   */
  readonly subjectId: string
  /** The message's own URL; null: the account's URL at the time of sending. */
  readonly ownUrl: string | null
  /** The forward that passes a received text on; null: it is an event for a URL. */
  readonly forwardId: string | null
  /** Deliveries to the same receiver share a lane, see `laneOf`. */
  readonly lane: string
  readonly body: string
  readonly createdAt: number
  readonly status: DeliveryStatus
  /** How many attempts were made in all rounds. */
  readonly attempts: number
  /** Attempts in the current round of the schedule. A replay begins a new round. */
  readonly tries: number
  /** When the next attempt is due. 0: at once, even if the clock was set back. */
  readonly nextAt: number
  readonly sentTo: string | null
  readonly responseStatus: number | null
  readonly error: string | null
  readonly log: readonly LoggedAttempt[]
}

/** Which deliveries are replayed. */
interface Replayed {
  readonly accountId: string
  /** Wall-clock milliseconds. */
  readonly since: number
  /** Whether notifications are; not only texts that forwards pass on. */
  readonly events: boolean
  /** The ids of the forwards whose texts are. */
  readonly forwards: readonly string[]
  readonly limit: number
}

/** Notifications in the database. Reads see the transaction's own writes. */
export interface NotificationStore {
  setting(tx: Tx, accountId: string): NotificationSetting | undefined
  saveSetting(tx: Tx, setting: NotificationSetting): void
  /** The failures of a lane of messages' own URLs. Those of the account's URL are in the setting. */
  failing(tx: Tx, lane: string): Failing
  saveFailing(tx: Tx, lane: string, failing: Failing): void
  forgetFailing(tx: Tx, lane: string): void
  /** After a pause, or a clock set forward: moves the start of each failure by `ms`, at most to `now`. */
  delayFailing(tx: Tx, by: { readonly ms: number; readonly now: number }): void
  /** Of more than may wait, the account's oldest end as failed. */
  insert(tx: Tx, delivery: Delivery): void
  /** Writes the fields that an attempt or a replay can change. Others end as with `insert`. */
  save(tx: Tx, delivery: Delivery): void
  find(tx: Tx, id: string): Delivery | undefined
  /** At most `limit` lanes with pending deliveries, sorted by the time at which they are due. */
  lanesDue(tx: Tx, limit: number): LaneDue[]
  /**
   * Due deliveries of one lane, in the order in which they became due. Leaves out a delivery whose subject
   * has an earlier delivery in the lane that was not tried yet.
   */
  due(tx: Tx, which: { readonly lane: string; readonly now: number; readonly limit: number }): Delivery[]
  /** When the lane's next delivery after `now` is due; null: none. */
  nextDueAt(tx: Tx, which: { readonly lane: string; readonly now: number }): number | null
  /** After the clock was set back: makes deliveries due whose time is after `latest`. Returns how many. */
  makeDue(tx: Tx, latest: number): number
  /** Cancels deliveries of the lane, at most `limit`, in the order in which they are due. */
  cancelLane(tx: Tx, lane: string, limit: number): void
  cancelSubject(tx: Tx, subjectId: string): void
  /** Whether a delivery of the subject failed with 410. */
  isGone(tx: Tx, subjectId: string): boolean
  /**
   * Makes failed and cancelled deliveries pending again if they were created at `since` or later. Returns how
   * many, at most `limit`, and only as many as may wait.
   */
  replaySince(tx: Tx, which: Replayed): number
}
