declare const proof: unique symbol

/** Proof that the caller is inside a transaction: only `storage/transaction.ts` makes one. */
export interface Tx {
  readonly [proof]: true
}
