import type { DatabaseSync } from 'node:sqlite'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Role } from '#contracts/user.ts'
import type { Session, SessionReader, SessionStore } from '#domain/account/session.ts'
import { columnsOf, insertInto, recordOf, valuesOf } from '#storage/columns.ts'
import { optional, type Row, text } from '#storage/row.ts'

const SESSION_COLUMNS = columnsOf<Session>({
  id: 'plain',
  accountId: 'plain',
  userId: 'plain',
  createdAt: 'plain',
  usedAt: 'plain',
  address: 'plain',
  browser: 'plain',
})

/** Sessions in the database, for the writer. */
export function openSessionStore(database: DatabaseSync): SessionStore {
  const hashes = [{ name: 'cookie_hash' }, { name: 'half_hash' }]
  const insert = database.prepare(insertInto('session', [...SESSION_COLUMNS, ...hashes]))
  const touch = database.prepare('UPDATE session SET used_at = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM session WHERE id = ? AND user_id = ?')
  const removeOthers = database.prepare('DELETE FROM session WHERE user_id = ?1 AND id IS NOT ?2')
  const trim = database.prepare(`
    DELETE FROM session WHERE user_id = ?1 AND (created_at < ?2 OR used_at < ?3 OR id NOT IN
      (SELECT id FROM session WHERE user_id = ?1 ORDER BY used_at DESC, id DESC LIMIT ?4))`)
  return {
    insertSession(_tx, session) {
      insert.run(...valuesOf(session, SESSION_COLUMNS), session.cookieHash, session.halfHash)
    },
    touchSession: (_tx, id, usedAt) => void touch.run(usedAt, id),
    removeSession: (_tx, { id, userId }) => remove.run(id, userId).changes === 1,
    removeOthers: (_tx, { userId, id }) => void removeOthers.run(userId, id),
    trimSessions(_tx, { userId, createdBefore, usedBefore, kept }) {
      trim.run(userId, createdBefore, usedBefore, kept)
    },
  }
}

/** Reads sessions, for a listener. */
export function openSessionReader(database: DatabaseSync): SessionReader {
  const byCookie = database.prepare(`
    SELECT session.*, account.plan, user.role FROM session
    JOIN account ON account.id = session.account_id JOIN user ON user.id = session.user_id
    WHERE session.cookie_hash = ?`)
  const list = database.prepare(
    'SELECT * FROM session WHERE user_id = ? ORDER BY used_at DESC, id DESC LIMIT ?',
  )
  const account = database.prepare(`
    SELECT user.email, user.role, account.plan FROM user JOIN account ON account.id = user.account_id
    WHERE user.id = ?`)
  return {
    byCookie(hash) {
      const row = byCookie.get(hash)
      if (row === undefined) return undefined
      const role = text(row['role']) as Role
      return { ...sessionOf(row), halfHash: row['half_hash'] as Uint8Array, plan: text(row['plan']), role }
    },
    sessionsOf: userId => list.all(userId, ACCOUNT_BOUNDS.sessionsOfUser.most).map(sessionOf),
    accountOf: userId =>
      optional(account.get(userId), row => ({
        email: text(row['email']),
        plan: text(row['plan']),
        role: text(row['role']) as Role,
      })),
  }
}

function sessionOf(row: Row): Session {
  return recordOf(row, SESSION_COLUMNS)
}
