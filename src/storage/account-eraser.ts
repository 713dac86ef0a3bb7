import type { AccountEraser } from '#domain/account/account-eraser.ts'
import { text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Tables whose rows belong to a webhook. */
const BY_WEBHOOK = ['webhook_trigger', 'webhook_seen', 'webhook_body']

/** Tables with a column `account_id`. The answer does not count the rows removed from them. */
const BY_ACCOUNT = [
  'alarm',
  'api_key',
  'session',
  'setup_token',
  'login_address',
  'pairing',
  'usage_day',
  'day_count',
  'two_factor',
  'two_factor_failure',
  'notification_setting',
  'notification_delivery',
  'message_call',
]

/**
 * Removes accounts from the database, for the writer. Rows that refer to another row are removed before it.
 */
export function openAccountEraser(database: DatabaseSync): AccountEraser {
  const codes = database.prepare("SELECT message_id FROM two_factor WHERE account_id = ? AND state = 'open'")
  // All accounts share the row of a target. Keep it while another account has a pending delivery there.
  const targets = database.prepare(`
    DELETE FROM notification_target
    WHERE lane IN (SELECT lane FROM notification_delivery WHERE account_id = ?1) AND NOT EXISTS (
      SELECT 1 FROM notification_delivery AS other WHERE other.lane = notification_target.lane
        AND other.status = 'pending' AND other.account_id <> ?1)`)
  const byWebhook = BY_WEBHOOK.map(table =>
    database.prepare(
      `DELETE FROM ${table} WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?)`,
    ),
  )
  const byAccount = BY_ACCOUNT.map(table => deleteFrom(database, table))
  // The scopes of idempotency keys, as `transport/http/read-send.ts` makes them.
  const answers = database.prepare("DELETE FROM idempotency WHERE scope IN (?1, ?1 || ' test')")
  const messages = deleteFrom(database, 'message')
  const received = deleteFrom(database, 'received')
  const devices = deleteFrom(database, 'device')
  const webhooks = deleteFrom(database, 'webhook')
  const account = database.prepare('DELETE FROM account WHERE id = ?')
  return {
    openCodes: (_tx, accountId) => codes.all(accountId).map(row => text(row['message_id'])),
    erase(tx, accountId) {
      for (const one of [targets, ...byWebhook, ...byAccount, answers]) one.run(accountId)
      const rows = {
        devices: Number(devices.run(accountId).changes),
        messages: Number(messages.run(accountId).changes),
        received: Number(received.run(accountId).changes),
        webhooks: Number(webhooks.run(accountId).changes),
      }
      account.run(accountId)
      tx.hasWiped = true
      return rows
    },
  }
}

function deleteFrom(database: DatabaseSync, table: string) {
  return database.prepare(`DELETE FROM ${table} WHERE account_id = ?`)
}
