/** What counts towards a bound for a while. It survives a restart, and follows jumps of the wall clock. */
import type { Tx } from '#domain/tx.ts'

export type RecentKind =
  /** A text about an incident, but not one that ends it. */
  | 'told'
  /** A reply to a useless answer. */
  | 'useless'
  | 'rang'
  /** A received text that was passed on to the person. */
  | 'forwarded'

export interface RecentUse {
  readonly accountId: string
  readonly kind: RecentKind
  /** The person. */
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
  move(tx: Tx, ms: number): void
}

const HOUR_MS = 3_600_000

/** Counts a use for an hour, if there were fewer than `most` in the last one. False: there were as many. */
export function useInHour(
  { recentUses, tx, now }: { recentUses: RecentUseStore; tx: Tx; now: { readonly wallMs: number } },
  subject: RecentSubject,
  most: number,
): boolean {
  const { wallMs } = now
  if (recentUses.list(subject, wallMs).length >= most) return false
  recentUses.note(tx, { ...subject, sourceId: null, isUrgent: false, until: wallMs + HOUR_MS }, wallMs)
  return true
}
