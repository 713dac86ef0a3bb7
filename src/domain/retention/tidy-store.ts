import type { Tx } from '#domain/tx.ts'

export interface TidyBound {
  /** Wall clock. */
  readonly before: number
  /** Maximum number of rows. */
  readonly limit: number
}

/** Removes old data; each method returns how many rows it changed. */
export interface TidyStore {
  /**
   * Clears texts and numbers of final messages, and removes their events, even pending ones. The rows stay,
   * because counters and failures need them.
   */
  clearMessages(tx: Tx, bound: TidyBound): number
  /**
   * Clears texts and senders of received messages, and removes their events. The rows stay, so that a phone
   * that reports a text again is recognized.
   */
  clearReceived(tx: Tx, bound: TidyBound): number
  /** Deletes notifications that are delivered or given up. */
  deleteDeliveries(tx: Tx, bound: TidyBound): number
  /** Removes targets that have failed since before `before`. */
  forgetTargets(tx: Tx, bound: TidyBound): number
  deleteKeptAnswers(tx: Tx, bound: TidyBound): number
  deletePairings(tx: Tx, bound: TidyBound): number
  /** Deletes final codes whose text is wiped. */
  deleteCodes(tx: Tx, bound: TidyBound): number
  /** Deletes the triggers of webhooks that owners see. */
  deleteSeenTriggers(tx: Tx, bound: TidyBound): number
  /** Deletes the last bodies of webhooks. */
  deleteBodies(tx: Tx, bound: TidyBound): number
  deleteCodeFailures(tx: Tx, bound: TidyBound): number
}
