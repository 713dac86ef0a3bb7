import type { DatabaseSync } from 'node:sqlite'
import { SESSIONS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { Session } from '#domain/account/session.ts'
import type { SessionReader } from '#domain/account/session-reader.ts'
import { type Row, text } from '#storage/row.ts'

/** Reads sessions, for a listener. */
export function openSessionReader(database: DatabaseSync): SessionReader {
  const byCookie = database.prepare(`
    SELECT session.*, account.plan FROM session JOIN account ON account.id = session.account_id
    WHERE session.cookie_hash = ?`)
  const list = database.prepare(
    'SELECT * FROM session WHERE account_id = ? ORDER BY used_at DESC, id DESC LIMIT ?',
  )
  const account = database.prepare('SELECT email, plan FROM account WHERE id = ?')
  return {
    byCookie(hash) {
      const row = byCookie.get(hash)
      if (row === undefined) return undefined
      return { ...sessionOf(row), halfHash: row['half_hash'] as Uint8Array, plan: text(row['plan']) }
    },
    sessionsOf: accountId => list.all(accountId, SESSIONS_PER_ACCOUNT_MAX).map(sessionOf),
    accountOf(accountId) {
      const row = account.get(accountId)
      return row === undefined ? undefined : { email: text(row['email']), plan: text(row['plan']) }
    },
  }
}

function sessionOf(row: Row): Session {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    createdAt: Number(row['created_at']),
    usedAt: Number(row['used_at']),
    address: text(row['address']),
    browser: text(row['browser']),
  }
}
