/** What the writer and the notification sender exchange. */
import type { ForwardRequest } from '#contracts/forward.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'

/**
 * A delivery that is due. The writer does not give it to the sender again until the sender reports the
 * attempt.
 */
export interface DueDelivery {
  readonly id: string
  /** Counts from 1, and goes on counting when a delivery is replayed. */
  readonly attempt: number
  readonly url: string
  /** An event of a sandbox message at the URL that the message names. */
  readonly isSandbox: boolean
  readonly secret: string
  /** JSON to sign and send as it is (UTF-8). */
  readonly body: string
  /** Fields to post as a form with Twilio's signature, instead of `body`. */
  readonly form?: Readonly<Record<string, string>>
  /** How to pass a received text on, instead of signing and posting the body. */
  readonly request?: ForwardRequest
}

export interface ReportedAttempt {
  readonly id: string
  /** Where the attempt was sent; the account's URL may have changed since. */
  readonly url: string
  readonly result: AttemptResult
  /** A random number from 0 to 1, for the jitter of the next attempt: the domain has no randomness. */
  readonly random: number
}

export interface SenderExchange {
  readonly results: readonly ReportedAttempt[]
  /** How many more deliveries the sender can hold. */
  readonly room: number
}

export interface SenderOrders {
  readonly deliveries: readonly DueDelivery[]
  /** Milliseconds after which the sender must start the next exchange; null: when the writer wakes it. */
  readonly nextInMs: number | null
}
