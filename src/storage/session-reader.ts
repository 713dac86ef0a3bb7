import type { DatabaseSync } from 'node:sqlite'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Role } from '#contracts/user.ts'
import type { Session } from '#domain/account/session.ts'
import type { SessionReader } from '#domain/account/session-reader.ts'
import { optional, type Row, text } from '#storage/row.ts'

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
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    userId: text(row['user_id']),
    createdAt: Number(row['created_at']),
    usedAt: Number(row['used_at']),
    address: text(row['address']),
    browser: text(row['browser']),
  }
}
