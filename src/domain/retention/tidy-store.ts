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
   * Clears texts and numbers of final messages, and removes their events, unless one is pending. The rows
   * stay until `deleteMessages`, because failures and lists need them.
   */
  clearMessages(tx: Tx, bound: TidyBound): number
  /**
   * Clears texts and senders of received messages, and removes their events. The rows stay until
   * `deleteReceived`, so that a phone that reports a text again is recognized.
   */
  clearReceived(tx: Tx, bound: TidyBound): number
  /** Deletes messages that `clearMessages` cleared. Daily counters stay. */
  deleteMessages(tx: Tx, bound: TidyBound): number
  /** Deletes received messages that `clearReceived` cleared. */
  deleteReceived(tx: Tx, bound: TidyBound): number
  /** Deletes phones that were removed before `before`. */
  deletePhones(tx: Tx, bound: TidyBound): number
  /** Deletes keys that were revoked before `before`. */
  deleteKeys(tx: Tx, bound: TidyBound): number
  /** Deletes notifications that are delivered or given up. */
  deleteDeliveries(tx: Tx, bound: TidyBound): number
  /** Removes targets that have failed since before `before`. */
  forgetTargets(tx: Tx, bound: TidyBound): number
  deleteKeptAnswers(tx: Tx, bound: TidyBound): number
  deletePairings(tx: Tx, bound: TidyBound): number
  /** Deletes final codes whose text is wiped. */
  deleteCodes(tx: Tx, bound: TidyBound): number
  /** Deletes triggers from the history that owners see. The triggers that the cap counts are separate. */
  deleteSeenTriggers(tx: Tx, bound: TidyBound): number
  /** Deletes the last bodies of webhooks. */
  deleteBodies(tx: Tx, bound: TidyBound): number
  deleteCodeFailures(tx: Tx, bound: TidyBound): number
}
