declare const proof: unique symbol

/** Proof that the caller is inside a transaction: only `storage/transaction.ts` makes one. */
export interface Tx {
  readonly [proof]: true
  /** Set by whoever wiped something: after the commit the log, which still has it, is erased. */
  hasWiped: boolean
}
