declare const proof: unique symbol

/** Proof that the caller is inside a transaction: only `storage/transaction.ts` makes one. */
export interface Tx {
  readonly [proof]: true
  /**
   * A store sets this after it has wiped a value. The write-ahead log still contains the value, so the log is
   * erased after the commit.
   */
  hasWiped: boolean
}
