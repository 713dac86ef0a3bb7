import type { DatabaseSync } from 'node:sqlite'
import type { OwnedReference } from '#contracts/owned.ts'
import type { OwnedRows, OwnedStore } from '#domain/owned-store.ts'
import { optional, type Row, text } from '#storage/row.ts'

/** Reads a table of things that an owner makes one by one: id, account, and the thing as JSON. */
export function readJsonTable<Thing extends OwnedReference>(
  database: DatabaseSync,
  table: string,
): OwnedRows<Thing> {
  const find = database.prepare(`SELECT content FROM ${table} WHERE id = ? AND account_id = ?`)
  const list = database.prepare(`SELECT content FROM ${table} WHERE account_id = ? ORDER BY id`)
  const thingOf = (row: Row) => JSON.parse(text(row['content'])) as Thing
  return {
    find: (accountId, id) => optional(find.get(id, accountId), thingOf),
    list: accountId => list.all(accountId).map(thingOf),
  }
}

/** Writes such a table. `isSecret`: what a change replaces must not stay in the write-ahead log. */
export function writeJsonTable<Thing extends OwnedReference>(
  database: DatabaseSync,
  table: string,
  { isSecret = false } = {},
): OwnedStore<Thing> {
  const put = database.prepare(`
    INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content`)
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ? AND account_id = ?`)
  return {
    ...readJsonTable<Thing>(database, table),
    save(tx, thing) {
      put.run(thing.id, thing.accountId, JSON.stringify(thing))
      if (isSecret) tx.hasWiped = true
    },
    remove(tx, { id, accountId }) {
      remove.run(id, accountId)
      tx.hasWiped = true
    },
  }
}
