import type { CommitLoss } from '#contracts/thread-frames.ts'
import type { FinishedText, OverCap, TextsToCheck } from '#domain/health/facts.ts'
import type { Tx } from '#domain/tx.ts'

/** What the rules of health problems read from the database. Times are wall clock, in milliseconds. */
export interface HealthStore {
  /** The outcomes of each phone's last texts, newest first. Reads only the account's last texts. */
  outcomes(tx: Tx, accountId: string): ReadonlyMap<string, readonly FinishedText[]>
  /** Texts that ended with this code after `since`. Null: none. */
  textsToCheck(tx: Tx, which: { accountId: string; code: CodeToCheck; since: number }): TextsToCheck | null
  /** Webhooks whose cap refused a trigger after `since` and after the webhook's last change. */
  overCap(tx: Tx, accountId: string, since: number): readonly OverCap[]
  lastLoss(tx: Tx): CommitLoss | null
  /** The ids of all accounts, oldest first. */
  accountIds(tx: Tx): readonly string[]
}

/**
 * How the texts ended. `PLANNED_EXPIRED`: they were planned, and expired while the gateway was off or because
 * of a wrong clock.
 */
export type CodeToCheck = 'OUTCOME_UNKNOWN' | 'RETRY_BRAKE' | 'PLANNED_EXPIRED'
