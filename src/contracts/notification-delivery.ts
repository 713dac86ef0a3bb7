/** What the writer and the sender of notifications hand one another. */
import type { AttemptResult } from '#contracts/notification-attempt.ts'

/** A delivery that is due. The writer hands it out once, until its attempt is reported. */
export interface DueDelivery {
  readonly id: string
  /** 1-based, counted over replays. */
  readonly attempt: number
  readonly url: string
  readonly secret: string
  /** The bytes to sign and send (UTF-8). */
  readonly body: string
}

export interface ReportedAttempt {
  readonly id: string
  /** Where it was sent: the account may have another URL by now. */
  readonly url: string
  readonly result: AttemptResult
  /** 0 to 1, for the jitter of the schedule. */
  readonly random: number
}

export interface SenderExchange {
  readonly results: readonly ReportedAttempt[]
  /** How many deliveries the sender can take. */
  readonly room: number
}

export interface SenderOrders {
  readonly deliveries: readonly DueDelivery[]
  /** When to ask again at the latest; null: when woken. */
  readonly nextInMs: number | null
}
