import type { DatabaseSync } from 'node:sqlite'
import type { Forward } from '#domain/forward/forward.ts'
import type { OwnedRows, OwnedStore } from '#domain/owned-store.ts'
import { failingOf } from '#storage/notification-row.ts'
import { optional, type Row, text } from '#storage/row.ts'

/** Forwards; the queries that listeners and the writer share. */
export function openForwardRows(database: DatabaseSync): OwnedRows<Forward> {
  const find = database.prepare('SELECT * FROM forward WHERE id = ? AND account_id = ?')
  const list = database.prepare('SELECT * FROM forward WHERE account_id = ? ORDER BY id')
  return {
    find: (accountId, id) => optional(find.get(id, accountId), forwardOf),
    list: accountId => list.all(accountId).map(forwardOf),
  }
}

/** Forwards, for the writer. */
export function openForwardStore(database: DatabaseSync): OwnedStore<Forward> {
  const save = database.prepare(`
    INSERT INTO forward VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
    SET failing_since = excluded.failing_since, content = excluded.content,
      failed_days = excluded.failed_days`)
  const remove = database.prepare('DELETE FROM forward WHERE id = ? AND account_id = ?')
  return {
    ...openForwardRows(database),
    save(tx, { failingSince, failedDays, ...content }) {
      // This may replace an old credential, which must not stay in the write-ahead log.
      tx.hasWiped = true
      save.run(
        content.id,
        content.accountId,
        failingSince,
        JSON.stringify(content),
        JSON.stringify(failedDays),
      )
    },
    remove(tx, { accountId, id }) {
      tx.hasWiped = true
      remove.run(id, accountId)
    },
  }
}

function forwardOf(row: Row): Forward {
  return { ...JSON.parse(text(row['content'])), ...failingOf(row) }
}
