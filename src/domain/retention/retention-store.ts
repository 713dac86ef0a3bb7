import type { Tx } from '#domain/tx.ts'

export interface RetentionBound {
  /** Wall clock. */
  readonly before: number
  /** Maximum number of rows. */
  readonly limit: number
}

/** Removes old data. Each removal returns how many rows it changed. */
export interface RetentionStore {
  /**
   * Clears texts and numbers of final messages, and removes their events, unless one is pending. The rows
   * stay until `deleteMessages`, because failures and lists need them.
   */
  clearMessages(tx: Tx, bound: RetentionBound): number
  /**
   * Clears texts and senders of received messages, and removes their events. The rows stay until
   * `deleteReceived`, so that a phone that reports a text again is recognized.
   */
  clearReceived(tx: Tx, bound: RetentionBound): number
  /** Clears the texts of closed incidents, and of those that nobody took. */
  clearIncidents(tx: Tx, bound: RetentionBound): number
  /** Deletes such incidents. */
  deleteIncidents(tx: Tx, bound: RetentionBound): number
  /** Deletes messages that `clearMessages` cleared. Their counters stay. */
  deleteMessages(tx: Tx, bound: RetentionBound): number
  /** Deletes received messages that `clearReceived` cleared. */
  deleteReceived(tx: Tx, bound: RetentionBound): number
  /** Deletes phones that were removed before `before`. */
  deletePhones(tx: Tx, bound: RetentionBound): number
  /** Deletes keys that were revoked before `before`. */
  deleteKeys(tx: Tx, bound: RetentionBound): number
  /** Deletes notifications that are not pending any more. */
  deleteDeliveries(tx: Tx, bound: RetentionBound): number
  /** Removes targets that have failed since before `before`. */
  forgetTargets(tx: Tx, bound: RetentionBound): number
  deleteKeptAnswers(tx: Tx, bound: RetentionBound): number
  deletePairings(tx: Tx, bound: RetentionBound): number
  /** Deletes final codes whose text is wiped. */
  deleteCodes(tx: Tx, bound: RetentionBound): number
  /** Deletes triggers from the history that owners see. The triggers that the cap counts are separate. */
  deleteSeenTriggers(tx: Tx, bound: RetentionBound): number
  /** Deletes what webhooks remember of storms that are over. */
  deleteStorms(tx: Tx, bound: RetentionBound): number
  /** Deletes half-hours of phones. */
  deletePhoneHistory(tx: Tx, bound: RetentionBound): number
  /** Deletes counters of messages. */
  deleteUsage(tx: Tx, bound: RetentionBound): number
  /** Deletes what the audit list says of earlier times. */
  deleteAudit(tx: Tx, bound: RetentionBound): number
  deleteCodeFailures(tx: Tx, bound: RetentionBound): number
}
