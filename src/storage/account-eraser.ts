import type { AccountEraser } from '#domain/account/account-eraser.ts'
import { text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Tables whose rows belong to a webhook. */
const BY_WEBHOOK = ['webhook_trigger', 'webhook_seen', 'webhook_storm', 'taken_mail']

/** Small tables with a column `account_id`. */
const SMALL = [
  'alarm',
  'incident',
  'incident_thing',
  'recent_use',
  'api_key',
  'key_token_chain',
  'session',
  'setup_token',
  'pairing',
  'two_factor_failure',
  'notification_setting',
  'person',
  'rota',
  'policy',
  'forward',
  'people_group',
  'device_group',
  'drill',
  'user',
]

/** Tables that may have a row for each message, and the key of their rows. */
const LARGE = [
  ['notification_delivery', 'seq'],
  ['two_factor', 'serial'],
  ['message_call', 'message_id'],
  ['received', 'rowid'],
  ['message', 'serial'],
  ['audit', 'seq'],
  ['opt_out', 'seq'],
] as const

/**
 * Removes accounts from the database, for the writer. Rows that refer to another row are removed before it.
 * A row in `removed_account` says that large tables still have rows of the account.
 */
export function openAccountEraser(database: DatabaseSync): AccountEraser {
  const codes = database.prepare("SELECT message_id FROM two_factor WHERE account_id = ? AND state = 'open'")
  const byWebhook = BY_WEBHOOK.map(table =>
    database.prepare(
      `DELETE FROM ${table} WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?)`,
    ),
  )
  const small = SMALL.map(table => deleteFrom(database, table))
  const devices = deleteFrom(database, 'device')
  const webhooks = deleteFrom(database, 'webhook')
  const messages = database.prepare('SELECT count(*) AS n FROM message WHERE account_id = ?')
  const received = database.prepare('SELECT count(*) AS n FROM received WHERE account_id = ?')
  const account = database.prepare('DELETE FROM account WHERE id = ?')
  const note = database.prepare('INSERT INTO removed_account VALUES (?)')
  const noted = database.prepare('SELECT id FROM removed_account LIMIT 1')
  const forget = database.prepare('DELETE FROM removed_account WHERE id = ?')
  // All accounts share the row of a target. Keep it while another account has a pending delivery there.
  const targets = database.prepare(`
    DELETE FROM notification_target
    WHERE lane IN (SELECT lane FROM notification_delivery WHERE account_id = ?1 LIMIT ?2) AND NOT EXISTS (
      SELECT 1 FROM notification_delivery AS other WHERE other.lane = notification_target.lane
        AND other.status = 'pending' AND other.account_id <> ?1)`)
  const large = [
    ...LARGE.map(([table, key]) =>
      database.prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE account_id = ? LIMIT ?)`,
      ),
    ),
    database.prepare(`
      DELETE FROM phone_history WHERE (account_id, device_id, half_hour) IN (
        SELECT account_id, device_id, half_hour FROM phone_history WHERE account_id = ? LIMIT ?)`),
    database.prepare(`
      DELETE FROM usage_quarter WHERE (account_id, quarter) IN (
        SELECT account_id, quarter FROM usage_quarter WHERE account_id = ? LIMIT ?)`),
    // The scopes of idempotency keys, as `transport/http/read-send.ts` makes them.
    database.prepare(`
      DELETE FROM idempotency WHERE (scope, key) IN (
        SELECT scope, key FROM idempotency WHERE scope IN (?1, ?1 || ' test') LIMIT ?2)`),
  ]
  return {
    openCodes: (_tx, accountId) => codes.all(accountId).map(row => text(row['message_id'])),
    end(tx, accountId) {
      for (const one of [...byWebhook, ...small]) one.run(accountId)
      const rows = {
        devices: Number(devices.run(accountId).changes),
        messages: Number(messages.get(accountId)?.['n']),
        received: Number(received.get(accountId)?.['n']),
        webhooks: Number(webhooks.run(accountId).changes),
      }
      account.run(accountId)
      note.run(accountId)
      tx.hasWiped = true
      return rows
    },
    eraseRows(tx, limit) {
      const row = noted.get()
      if (row === undefined) return 0
      const accountId = text(row['id'])
      tx.hasWiped = true
      targets.run(accountId, limit)
      let left = limit
      for (const one of large) if (left > 0) left -= Number(one.run(accountId, left).changes)
      if (left > 0) forget.run(accountId)
      return limit - left
    },
    isErasing: () => noted.get() !== undefined,
  }
}

function deleteFrom(database: DatabaseSync, table: string) {
  return database.prepare(`DELETE FROM ${table} WHERE account_id = ?`)
}
