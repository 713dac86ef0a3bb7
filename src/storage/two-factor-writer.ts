import type { DatabaseSync } from 'node:sqlite'
import type { OpenCode } from '#domain/two-factor/open-codes.ts'
import type { CodeRecord, TwoFactorStore } from '#domain/two-factor/two-factor-store.ts'
import { columnsOf, insertInto, recordOf, valuesOf } from '#storage/columns.ts'
import { optional, type Row, text, textOrNull } from '#storage/row.ts'

/** One-time codes in the database, for the writer. */
export function openTwoFactorStore(database: DatabaseSync): TwoFactorStore {
  const insert = database.prepare(insertInto('two_factor', [...CODE_COLUMNS, { name: 'text' }]))
  const save = database.prepare(
    'UPDATE two_factor SET state = ?, tries = ?, compared = ? WHERE message_id = ?',
  )
  const find = database.prepare('SELECT * FROM two_factor WHERE message_id = ?')
  // Order by serial: ids depend on the clock, which may have gone back at a restart.
  const findNewest = database.prepare(`
    SELECT * FROM two_factor WHERE account_id = ? AND test = ? AND phone_number = ?
    ORDER BY serial DESC LIMIT 1`)
  const issuedAt = database.prepare(`
    SELECT created_at FROM two_factor WHERE account_id = ? AND test = ? AND phone_number = ?
    ORDER BY serial DESC LIMIT ?`)
  const textOf = database.prepare('SELECT text FROM two_factor WHERE message_id = ?')
  const wipeText = database.prepare('UPDATE two_factor SET text = NULL WHERE message_id = ?')
  return {
    insert: (_tx, record, toSend) => void insert.run(...valuesOf(record, CODE_COLUMNS), toSend),
    save: (_tx, { state, tries, compared, messageId }) => void save.run(state, tries, compared, messageId),
    find: (_tx, messageId) => optional(find.get(messageId), codeOf),
    findNewest: (_tx, { accountId, test, phoneNumber }) =>
      optional(findNewest.get(accountId, Number(test), phoneNumber), codeOf),
    issuedAt: (_tx, { accountId, test, phoneNumber }, limit) =>
      issuedAt.all(accountId, Number(test), phoneNumber, limit).map(row => Number(row['created_at'])),
    textOf: (_tx, messageId) => optional(textOf.get(messageId), row => textOrNull(row['text'])),
    wipeText(tx, messageId) {
      wipeText.run(messageId)
      tx.hasWiped = true
    },
    ...openFailures(database),
  }
}

function openFailures(database: DatabaseSync): Pick<TwoFactorStore, 'failuresOn' | 'saveFailures'> {
  const find = database.prepare(`
    SELECT failures FROM two_factor_failure
    WHERE account_id = ? AND test = ? AND phone_number = ? AND day = ?`)
  const save = database.prepare('INSERT OR REPLACE INTO two_factor_failure VALUES (?, ?, ?, ?, ?)')
  return {
    failuresOn: (_tx, { accountId, test, phoneNumber }, day) =>
      Number(find.get(accountId, Number(test), phoneNumber, day)?.['failures'] ?? 0),
    saveFailures(_tx, { accountId, test, phoneNumber }, { day, failures }) {
      save.run(accountId, Number(test), phoneNumber, day, failures)
    },
  }
}

/**
 * Reads the codes that may still be verified, for the state in memory. The condition repeats that of the
 * index `two_factor_open`, so that SQLite uses the index.
 */
export function readOpenCodes(database: DatabaseSync): OpenCode[] {
  const rows = database.prepare(`
    SELECT message_id, created_at, expires_at FROM two_factor WHERE state = 'open'
      AND account_id NOT IN (SELECT id FROM removed_account)`)
  return rows.all().map(row => ({
    messageId: text(row['message_id']),
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
  }))
}

const CODE_COLUMNS = columnsOf<CodeRecord>({
  messageId: 'plain',
  accountId: 'plain',
  test: 'flag',
  phoneNumber: 'plain',
  mac: 'plain',
  state: 'plain',
  tries: 'plain',
  compared: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
})

function codeOf(row: Row): CodeRecord {
  return recordOf(row, CODE_COLUMNS)
}
