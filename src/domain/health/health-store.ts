import type { CommitLoss } from '#contracts/thread-frames.ts'
import type { OddEnds, Outcome, OverCap } from '#domain/health/facts.ts'
import type { Tx } from '#domain/tx.ts'

/** What the rules want to know of rows. Times are wall clock. */
export interface HealthStore {
  /** The last texts of each phone that are over, newest first, among the last of the account. */
  outcomes(tx: Tx, accountId: string): ReadonlyMap<string, readonly Outcome[]>
  /** Texts that ended so since then; null: none. */
  oddEnds(tx: Tx, which: { accountId: string; code: OddEnd; since: number }): OddEnds | null
  /** Webhooks whose cap refused a trigger since then. */
  overCap(tx: Tx, accountId: string, since: number): readonly OverCap[]
  lastLoss(tx: Tx): CommitLoss | null
  newestMessageAt(tx: Tx): number | null
  /** All of them, oldest first. */
  accountIds(tx: Tx): readonly string[]
}

export type OddEnd = 'OUTCOME_UNKNOWN' | 'RETRY_BRAKE'
