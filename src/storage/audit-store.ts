import type { DatabaseSync } from 'node:sqlite'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { KINDS_IN_TABLES } from '#contracts/kinds.ts'
import { HOME_ASSISTANT } from '#contracts/user.ts'
import type { AuditReader, AuditStore } from '#domain/audit/audit-store.ts'
import { instant } from '#domain/time.ts'
import type { AccountTotals } from '#storage/account-totals.ts'
import { text, textOrNull } from '#storage/row.ts'

/** Rows that one transaction removes at most, so that other callers do not wait. */
const TRIMMED_MAX = 1000

/** What was done by whom, for the writer. */
export function openAuditStore(database: DatabaseSync, totals: AccountTotals): AuditStore {
  const insert = database.prepare(
    'INSERT INTO audit (account_id, at, who, what, which) VALUES (?, ?, ?, ?, ?)',
  )
  const trim = database.prepare(
    'DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE account_id = ? ORDER BY seq LIMIT ?)',
  )
  return {
    noteDeed(_tx, { accountId, at, who, what, which }) {
      insert.run(accountId, at, who, what, which)
      const surplus = totals('audit', accountId) - ACCOUNT_BOUNDS.auditEntries.most
      if (surplus > 0) trim.run(accountId, Math.min(surplus, TRIMMED_MAX))
    },
  }
}

/** Finds the name of what an entry is about. */
const WHICH_NAME = KINDS_IN_TABLES.filter(({ name }) => name !== undefined)
  .map(
    ({ prefix, table, name }) => `WHEN '${prefix}' THEN (
    SELECT ${name === 'content' ? "content ->> '$.name'" : name} FROM ${table}
    WHERE id = which AND ${table}.account_id = audit.account_id)`,
  )
  .join(' ')

/** What was done by whom, for a listener. Rows are in the order of time, unless the clock went back. */
export function openAuditReader(database: DatabaseSync): AuditReader {
  const list = database.prepare(`
    SELECT audit.*,
      coalesce(user.email, api_key.name, iif(who = '${HOME_ASSISTANT}', 'Home Assistant', NULL)) AS name,
      CASE substr(which, 1, 4) ${WHICH_NAME} END AS which_name
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
      whichName: textOrNull(row['which_name']),
    }))
}
