import type { OwnedReference } from '#contracts/owned.ts'
import type { Tx } from '#domain/tx.ts'

/** Things that an owner makes one by one, as the writer and the listeners read them. */
export interface OwnedRows<Thing> {
  find(accountId: string, id: string): Thing | undefined
  /** The oldest first. */
  list(accountId: string): readonly Thing[]
}

/** The same for the writer. Reads see the transaction's own writes. */
export interface OwnedStore<Thing> extends OwnedRows<Thing> {
  /** Inserts, or replaces the row with this id. */
  save(tx: Tx, thing: Thing): void
  remove(tx: Tx, which: OwnedReference): void
}
