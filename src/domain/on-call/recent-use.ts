/** What counts towards a bound for a while. It survives a restart, and follows jumps of the wall clock. */
import type { Move } from '#domain/clock/believed-clock.ts'
import { HOUR_MS, nextMidnight } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'

export type RecentKind =
  /** A text about an incident, but not one that ends it. */
  | 'told'
  | 'ended'
  /** A reply to an answer; `useless`: to one that changed nothing. */
  | 'replied'
  | 'useless'
  /** A text said that no more come in this hour, or on this day. */
  | 'hour-over'
  | 'day-over'
  /** A text beyond the plan of the day. */
  | 'extra'
  | 'rehearsed'
  | 'rang'
  /** A text that something is over of which no incident is known. */
  | 'unknown-end'
  /** A received text that was passed on to the person. */
  | 'forwarded'
  /** The account heard that an e-mail address has a login of another account. */
  | 'address-taken'
  /** The number was told that it gets no more texts. */
  | 'stop-confirmed'

export interface RecentUse {
  readonly accountId: string
  readonly kind: RecentKind
  /** The person, the account, the webhook, or a number. */
  readonly subjectId: string
  /** The webhook or policy of the text. */
  readonly sourceId: string | null
  /** Whether the alert is critical, or of unknown severity. */
  readonly isUrgent: boolean
  /** Wall-clock milliseconds. */
  readonly until: number
}

/** Whose uses are asked for. */
export type RecentSubject = Pick<RecentUse, 'accountId' | 'kind' | 'subjectId'>

export interface RecentUseStore {
  /** Those that still count. */
  list(subject: RecentSubject, wallMs: number): readonly Pick<RecentUse, 'sourceId' | 'isUrgent'>[]
  /** Also forgets those of all accounts that count no more. */
  note(tx: Tx, use: RecentUse, wallMs: number): void
  /** The subjects of an account with such a use, and until when the last one counts. */
  subjects(accountId: string, kind: RecentKind, wallMs: number): ReadonlyMap<string, number>
  /** Moves those that were noted since `since`. */
  move(tx: Tx, move: Pick<Move, 'since' | 'ms'>): void
}

interface Noter {
  readonly recentUses: RecentUseStore
  readonly tx: Tx
  readonly now: { readonly wallMs: number }
}

/** Counts a use for an hour, or until midnight. */
export function noteUse(
  { recentUses, tx, now }: Noter,
  { isDay = false, ...use }: Omit<RecentUse, 'until'> & { readonly isDay?: boolean },
): void {
  const { wallMs } = now
  recentUses.note(tx, { ...use, until: isDay ? nextMidnight(wallMs) : wallMs + HOUR_MS }, wallMs)
}
