import type { DatabaseSync } from 'node:sqlite'
import { HOME_ASSISTANT } from '#contracts/user.ts'
import type { AuditReader, AuditStore } from '#domain/audit/audit-store.ts'
import { instant } from '#domain/time.ts'
import { text, textOrNull } from '#storage/row.ts'

/** What was done by whom, for the writer. */
export function openAuditStore(database: DatabaseSync): AuditStore {
  const insert = database.prepare(
    'INSERT INTO audit (account_id, at, who, what, which) VALUES (?, ?, ?, ?, ?)',
  )
  return {
    noteDeed(_tx, { accountId, at, who, what, which }) {
      insert.run(accountId, at, who, what, which)
    },
  }
}

/** What was done by whom, for a listener. Rows are in the order of time, unless the clock went back. */
export function openAuditReader(database: DatabaseSync): AuditReader {
  const list = database.prepare(`
    SELECT audit.*,
      coalesce(user.email, api_key.name, iif(who = '${HOME_ASSISTANT}', 'Home Assistant', NULL)) AS name
    FROM audit
    LEFT JOIN user ON user.id = audit.who LEFT JOIN api_key ON api_key.id = audit.who
    WHERE audit.account_id = ?1 AND audit.seq < ?2
      AND audit.seq >= (SELECT seq FROM audit WHERE at >= ?3 ORDER BY at LIMIT 1)
    ORDER BY audit.seq DESC LIMIT ?4`)
  return ({ accountId, since, before, limit }) =>
    list.all(accountId, before ?? Number.MAX_SAFE_INTEGER, since, limit).map(row => ({
      id: String(row['seq']),
      when: instant(Number(row['at'])),
      who: text(row['who']),
      name: textOrNull(row['name']),
      what: text(row['what']),
      which: textOrNull(row['which']),
    }))
}
