import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { AlertField } from '#contracts/alert-reading.ts'
import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { SeenTriggerStore } from '#domain/webhook/seen-trigger-store.ts'
import { type AccountTotals, requestBytes } from '#storage/account-totals.ts'
import { optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/**
 * Bytes of requests kept for a webhook, with the fields that were read in them: the last 20 of usual senders,
 * which take 2 to 10 KiB each. Older ones make room.
 */
const KEPT_REQUESTS_BYTES_MAX = 262_144

/** When the requests of an account are at their bound, so much room is made at once. */
const ROOM_BYTES = 1_000_000
const KEPT_OF_ACCOUNT = ACCOUNT_BOUNDS.alertBodyBytes.most

const FORGET = `UPDATE webhook_seen
  SET content_type = NULL, confirmation_url = NULL, headers = NULL, fields = NULL, body = NULL`
const FORGET_REQUESTS = `${FORGET} WHERE webhook_id = $id AND body NOT NULL`

/** The trigger history of webhooks in the database, for the writer. */
export function openSeenTriggerStore(database: DatabaseSync, totals: AccountTotals): SeenTriggerStore {
  const has = 'SELECT 1 FROM webhook_seen WHERE webhook_id = ? AND outcome'
  const hasTriggered = database.prepare(`${has} IN ('TRIGGERED', 'GATHERED') AND address = ? LIMIT 1`)
  const wasOverCap = database.prepare(`${has} = 'OVER_CAP' AND at > ? LIMIT 1`)
  const fieldsOf = database.prepare(`
    SELECT fields FROM webhook_seen WHERE webhook_id = ? AND shape = ? AND body NOT NULL
    ORDER BY seq DESC LIMIT 1`)
  const insert = database.prepare(`
    INSERT INTO webhook_seen (webhook_id, at, address, outcome, format, message, guess, shape, content_type,
      confirmation_url, headers, fields, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const trim = database.prepare(`
    DELETE FROM webhook_seen WHERE webhook_id = $id AND seq <= (
      SELECT seq FROM webhook_seen WHERE webhook_id = $id ORDER BY seq DESC
      LIMIT 1 OFFSET ${SEEN_TRIGGERS_MAX})`)
  const trimRequests = database.prepare(`${FORGET_REQUESTS} AND seq <= (
    SELECT seq FROM (
      SELECT seq, sum(${requestBytes('webhook_seen')}) OVER (ORDER BY seq DESC) AS bytes
      FROM webhook_seen WHERE webhook_id = $id AND body NOT NULL)
    WHERE bytes > ${KEPT_REQUESTS_BYTES_MAX} ORDER BY seq DESC LIMIT 1)`)
  const accountOf = database.prepare('SELECT account_id FROM webhook WHERE id = ?')
  const trimAccount = database.prepare(`${FORGET} WHERE seq IN (
    SELECT seq FROM (
      SELECT seq, sum(${requestBytes('webhook_seen')}) OVER (ORDER BY seq DESC) AS bytes FROM webhook_seen
      WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?) AND body NOT NULL)
    WHERE bytes > ${KEPT_OF_ACCOUNT - ROOM_BYTES})`)
  const forgetRequests = database.prepare(FORGET_REQUESTS)
  const forget = database.prepare('DELETE FROM webhook_seen WHERE webhook_id = ?')
  return {
    hasTriggered: (webhookId, address) => hasTriggered.get(webhookId, address) !== undefined,
    wasOverCap: (webhookId, since) => wasOverCap.get(webhookId, since) !== undefined,
    fieldsOf: (webhookId, shape) =>
      optional(fieldsOf.get(webhookId, shape), row => JSON.parse(text(row['fields'])) as AlertField[]),
    add(_tx, webhookId, seen) {
      for (const { at, address, outcome, format, message, guess, shape, kept } of seen) {
        const head = [webhookId, at, address, outcome, format, message, Number(guess), shape] as const
        insert.run(
          ...head,
          kept?.contentType ?? null,
          kept?.confirmationUrl ?? null,
          kept === null ? null : JSON.stringify(kept.headers),
          kept === null ? null : JSON.stringify(kept.fields),
          kept?.body ?? null,
        )
      }
      trim.run({ $id: webhookId })
      trimRequests.run({ $id: webhookId })
      const accountId = text(accountOf.get(webhookId)?.['account_id'])
      if (totals('bodies', accountId) > KEPT_OF_ACCOUNT) trimAccount.run(accountId)
    },
    forgetRequests(tx, webhookId) {
      if (forgetRequests.run({ $id: webhookId }).changes !== 0) tx.hasWiped = true
    },
    forget(tx, webhookId) {
      if (forget.run(webhookId).changes !== 0) tx.hasWiped = true
    },
  }
}
