import type { Forward } from '#domain/forward/forward.ts'
import type { Tx } from '#domain/tx.ts'

/** Queries that the writer and the listeners share. */
export interface ForwardRows {
  find(accountId: string, id: string): Forward | undefined
  /** The oldest first. */
  list(accountId: string): readonly Forward[]
}

/** Forwards in the database. Reads see the transaction's own writes. */
export interface ForwardStore extends ForwardRows {
  /** Inserts, or replaces the row with this id. */
  save(tx: Tx, forward: Forward): void
  remove(tx: Tx, which: { readonly accountId: string; readonly id: string }): void
}
