declare const proof: unique symbol

/** Proof that the caller is inside a transaction: only `storage/transaction.ts` makes one. */
export interface Tx {
  readonly [proof]: true
  /**
   * A store sets it when it wiped something: the write-ahead log still has the content and is erased after
   * the commit.
   */
  hasWiped: boolean
}
