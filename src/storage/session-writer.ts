import type { DatabaseSync } from 'node:sqlite'
import type { SessionStore } from '#domain/account/session-store.ts'

/** Sessions in the database, for the writer. */
export function openSessionStore(database: DatabaseSync): SessionStore {
  const insert = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const touch = database.prepare('UPDATE session SET used_at = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM session WHERE id = ? AND user_id = ?')
  const removeOthers = database.prepare('DELETE FROM session WHERE user_id = ?1 AND id IS NOT ?2')
  const trim = database.prepare(`
    DELETE FROM session WHERE user_id = ?1 AND (created_at < ?2 OR used_at < ?3 OR id NOT IN
      (SELECT id FROM session WHERE user_id = ?1 ORDER BY used_at DESC, id DESC LIMIT ?4))`)
  return {
    insertSession(_tx, { id, accountId, userId, cookieHash, halfHash, createdAt, usedAt, address, browser }) {
      insert.run(id, accountId, cookieHash, halfHash, createdAt, usedAt, address, browser, userId)
    },
    touchSession: (_tx, id, usedAt) => void touch.run(usedAt, id),
    removeSession: (_tx, { id, userId }) => remove.run(id, userId).changes === 1,
    removeOthers: (_tx, { userId, id }) => void removeOthers.run(userId, id),
    trimSessions(_tx, { userId, createdBefore, usedBefore, kept }) {
      trim.run(userId, createdBefore, usedBefore, kept)
    },
  }
}
