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
   * Clears texts and numbers of final messages, with their events, even pending ones; the rows stay for
   * counters and failures.
   */
  clearMessages(tx: Tx, bound: TidyBound): number
  /**
   * Clears texts and senders, with their events; the rows stay, so that a phone's repeat is recognized.
   */
  clearReceived(tx: Tx, bound: TidyBound): number
  /** Deletes notifications that are delivered or given up. */
  deleteDeliveries(tx: Tx, bound: TidyBound): number
  /** Forgets targets that have failed since before then. */
  forgetTargets(tx: Tx, bound: TidyBound): number
  deleteKeptAnswers(tx: Tx, bound: TidyBound): number
  deletePairings(tx: Tx, bound: TidyBound): number
  /** Deletes final codes whose text is wiped. */
  deleteCodes(tx: Tx, bound: TidyBound): number
  /** Of webhooks, as their owners see them. */
  deleteSeenTriggers(tx: Tx, bound: TidyBound): number
  /** The last bodies of webhooks. */
  deleteBodies(tx: Tx, bound: TidyBound): number
  deleteCodeFailures(tx: Tx, bound: TidyBound): number
}
