import type { DatabaseSync } from 'node:sqlite'
import { optional, type Row, text } from '#storage/row.ts'

interface Owned {
  readonly id: string
  readonly accountId: string
}

/** Reads a table of things that an owner makes one by one: id, account, and the thing as JSON. */
export function readJsonTable<Content extends Owned>(database: DatabaseSync, table: string) {
  const find = database.prepare(`SELECT content FROM ${table} WHERE id = ? AND account_id = ?`)
  const list = database.prepare(`SELECT content FROM ${table} WHERE account_id = ? ORDER BY id`)
  const contentOf = (row: Row) => JSON.parse(text(row['content'])) as Content
  return {
    find: (accountId: string, id: string) => optional(find.get(id, accountId), contentOf),
    list: (accountId: string): readonly Content[] => list.all(accountId).map(contentOf),
  }
}

/** Writes such a table. */
export function writeJsonTable<Content extends Owned>(database: DatabaseSync, table: string) {
  const put = database.prepare(`
    INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content`)
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ? AND account_id = ?`)
  return {
    save(content: Content): void {
      put.run(content.id, content.accountId, JSON.stringify(content))
    },
    remove({ id, accountId }: Owned): void {
      remove.run(id, accountId)
    },
  }
}
