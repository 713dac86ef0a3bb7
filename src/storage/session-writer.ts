import type { DatabaseSync } from 'node:sqlite'
import type { SessionStore } from '#domain/account/session-store.ts'

/** Sessions in the database, for the writer. */
export function openSessionStore(database: DatabaseSync): SessionStore {
  const insert = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const touch = database.prepare('UPDATE session SET used_at = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM session WHERE id = ? AND account_id = ?')
  const removeOthers = database.prepare('DELETE FROM session WHERE account_id = ?1 AND id IS NOT ?2')
  const trim = database.prepare(`
    DELETE FROM session WHERE account_id = ?1 AND (created_at < ?2 OR used_at < ?3 OR id NOT IN
      (SELECT id FROM session WHERE account_id = ?1 ORDER BY used_at DESC, id DESC LIMIT ?4))`)
  return {
    insertSession(_tx, { id, accountId, cookieHash, halfHash, createdAt, usedAt, address, browser }) {
      insert.run(id, accountId, cookieHash, halfHash, createdAt, usedAt, address, browser)
    },
    touchSession(_tx, id, usedAt) {
      touch.run(usedAt, id)
    },
    removeSession: (_tx, { id, accountId }) => remove.run(id, accountId).changes === 1,
    removeOthers(_tx, { accountId, id }) {
      removeOthers.run(accountId, id)
    },
    trimSessions(_tx, { accountId, createdBefore, usedBefore, kept }) {
      trim.run(accountId, createdBefore, usedBefore, kept)
    },
  }
}
