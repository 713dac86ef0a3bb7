import type { NewMessage } from '#contracts/message.ts'
import type { MessageStatus } from '#contracts/primitives.ts'

/** A failure as the API shows it: a stable code and a sentence. */
export interface Failure {
  readonly code: string
  readonly message: string
}

export interface TimelineEntry {
  readonly status: MessageStatus
  /** Wall-clock milliseconds. */
  readonly at: number
  /** Where a try failed and the message is queued again: the phone of that try. */
  readonly deviceId?: string
}

/** An outbound message, as stored in the database. Times are wall-clock milliseconds. */
export interface Message extends Omit<NewMessage, 'ttlMs' | 'queueIfOffline'> {
  readonly id: string
  /** Whether the caller named the phone, so that no other phone may send it. */
  readonly pinned: boolean
  /** The group of phones that the caller named; null: none. */
  readonly deviceGroupId: string | null
  readonly createdAt: number
  readonly expiresAt: number

  readonly status: MessageStatus
  /** The phone that has it; null: none. */
  readonly deviceId: string | null
  /** How many times a phone got `go`. The next offer is for the attempt after that. */
  readonly attempt: number
  /** The time before which a retry must not start. 0: it may start at once. */
  readonly notBefore: number
  readonly sentAt: number | null
  readonly deliveredAt: number | null
  readonly failure: Failure | null
  readonly timeline: readonly TimelineEntry[]
}

export type FinalFailureCode =
  | 'CANCELLED'
  | 'EXPIRED'
  | 'OUTCOME_UNKNOWN'
  | 'UNDELIVERED'
  | 'DEVICE_REMOVED'
  | 'OPTED_OUT'
  | 'RETRY_BRAKE'

export const FAILURES: Readonly<Record<FinalFailureCode, string>> = {
  CANCELLED: 'cancelled before a phone began to send it',
  EXPIRED: 'its time to live ended before a phone could send it',
  OUTCOME_UNKNOWN: 'a phone began to send it and reported no result; it is not sent again',
  UNDELIVERED: 'the network reports that it could not be delivered',
  DEVICE_REMOVED: 'the phone that had to send it was removed',
  OPTED_OUT: 'the number wants no more texts',
  RETRY_BRAKE: 'stopped: it was handed to phones too often in a short time',
}

export function failure(code: FinalFailureCode): Failure {
  return { code, message: FAILURES[code] }
}

/** The whole time to live, in milliseconds. */
export function ttlMsOf({
  createdAt,
  sendAt,
  expiresAt,
}: Pick<Message, 'createdAt' | 'sendAt' | 'expiresAt'>): number {
  // While the clock is wrong, the time of acceptance may seem to be long after `sendAt`.
  return expiresAt - (sendAt ?? createdAt)
}

/** The order on a phone, lower first: a person waits for a code, and an alert may be urgent. */
export function rankOf(message: Pick<Message, 'kind' | 'priority'>): 0 | 1 | 2 {
  if (message.kind === '2fa') return 0
  return message.kind === 'webhook' || message.priority === 'high' ? 1 : 2
}
