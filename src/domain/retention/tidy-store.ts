import type { Tx } from '#domain/tx.ts'

export interface TidyBound {
  /** Wall clock. */
  readonly before: number
  /** Rows at the most. */
  readonly limit: number
}

/** Removes what is too old; each answers how many rows it changed. */
export interface TidyStore {
  /**
   * Texts and numbers of messages that are final, with the events that have them, also those still to be
   * sent; the messages' rows stay for the counters and their failures.
   */
  clearMessages(tx: Tx, bound: TidyBound): number
  /**
   * Texts and senders, with the events that have them; the rows stay, so that what a phone repeats is not
   * taken for new.
   */
  clearReceived(tx: Tx, bound: TidyBound): number
  /** Notifications that are delivered or given up. */
  deleteDeliveries(tx: Tx, bound: TidyBound): number
  /** Targets that fail since then. */
  forgetTargets(tx: Tx, bound: TidyBound): number
  deleteKeptAnswers(tx: Tx, bound: TidyBound): number
  deletePairings(tx: Tx, bound: TidyBound): number
  /** Codes that are over and whose text is wiped. */
  deleteCodes(tx: Tx, bound: TidyBound): number
  /** Of webhooks, as their owners see them. */
  deleteSeenTriggers(tx: Tx, bound: TidyBound): number
  /** The last bodies of webhooks. */
  deleteBodies(tx: Tx, bound: TidyBound): number
  deleteCodeFailures(tx: Tx, bound: TidyBound): number
}
