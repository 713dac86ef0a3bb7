import type { WebhookFields } from '#contracts/commands.ts'
import type { HeldAlerts } from '#contracts/seen-trigger.ts'

/** An inbound webhook as stored in the database. Times are wall-clock milliseconds. */
export interface Webhook extends WebhookFields {
  readonly id: string
  readonly accountId: string
  /** The last four characters of the token. */
  readonly tokenHint: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly counters: WebhookCounters
  /** Alerts refused by the cap that no text has reported yet. */
  readonly held: HeldAlerts | null
}

export interface WebhookCounters {
  readonly total: number
  readonly rejected: number
  /** The day of the last trigger, in whole days since 1970, and the number of triggers accepted on it. */
  readonly day: number
  readonly onDay: number
  readonly lastTriggeredAt: number | null
}

export const NO_TRIGGERS: WebhookCounters = {
  total: 0,
  rejected: 0,
  day: 0,
  onDay: 0,
  lastTriggeredAt: null,
}

/** The end of a token, shown so that its owner can recognize it. */
export function hintOf(token: string): string {
  return token.slice(-4)
}
