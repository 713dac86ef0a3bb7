import type { StoredReading } from '#contracts/alert-reading.ts'
import type { HeldAlerts } from '#contracts/seen-trigger.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'

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
  /** What the owner has settled, by shape. */
  readonly readings: Readonly<Record<string, StoredReading>>
  /** The last request, as far as silence is watched. */
  readonly heardAt: number | null
  /** When SILENT is due. Null while silence is watched: the text was sent. */
  readonly silentAt: number | null
  /** The last text about a first refusal by the cap. */
  readonly noticedAt: number | null
}

export interface WebhookCounters {
  readonly total: number
  readonly rejected: number
  /** The day of the last trigger, in whole days since 1970, and the number of triggers accepted on it. */
  readonly day: number
  readonly onDay: number
  readonly lastTriggeredAt: number | null
  /** Sent texts whose roles were guessed, by day, in whole days since 1970. Older days are left out. */
  readonly guesses: Readonly<Record<string, number>>
}

export const NO_TRIGGERS: WebhookCounters = {
  total: 0,
  rejected: 0,
  day: 0,
  onDay: 0,
  lastTriggeredAt: null,
  guesses: {},
}

/** For how many days before today guesses are counted: today and these are a week. */
export const GUESSES_KEPT_DAYS = 6

/** Counts one more guess on `day`, and leaves out the days that are not shown any more. */
export function withGuess({ guesses }: WebhookCounters, day: number): WebhookCounters['guesses'] {
  const kept = Object.entries(guesses).filter(([one]) => Number(one) >= day - GUESSES_KEPT_DAYS)
  return { ...Object.fromEntries(kept), [day]: (guesses[day] ?? 0) + 1 }
}

export function guessedSince({ guesses }: WebhookCounters, firstDay: number): number {
  const counts = Object.entries(guesses).map(([day, count]) => (Number(day) >= firstDay ? count : 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The end of a token, shown so that its owner can recognize it. */
export function hintOf(token: string): string {
  return token.slice(-4)
}
