import type { AlertField } from '#contracts/alert-reading.ts'
import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { SeenTriggerStore } from '#domain/webhook/seen-trigger-store.ts'
import { text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/**
 * Bytes of requests kept for a webhook, with the fields that were read in them: the last 20 of usual senders,
 * which take 2 to 10 KiB each. Older ones make room. So the 200 webhooks of an account keep 52 MB at most.
 */
const KEPT_REQUESTS_BYTES_MAX = 262_144

const FORGET_REQUESTS = `UPDATE webhook_seen
  SET content_type = NULL, confirmation_url = NULL, headers = NULL, fields = NULL, body = NULL
  WHERE webhook_id = $id AND body NOT NULL`

/** The trigger history of webhooks in the database, for the writer. */
export function openSeenTriggerStore(database: DatabaseSync): SeenTriggerStore {
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
  // `octet_length` reads the length without the text.
  const trimRequests = database.prepare(`${FORGET_REQUESTS} AND seq <= (
    SELECT seq FROM (
      SELECT seq, sum(octet_length(body) + octet_length(fields) + octet_length(headers))
        OVER (ORDER BY seq DESC) AS bytes FROM webhook_seen WHERE webhook_id = $id AND body NOT NULL)
    WHERE bytes > ${KEPT_REQUESTS_BYTES_MAX} ORDER BY seq DESC LIMIT 1)`)
  const forgetRequests = database.prepare(FORGET_REQUESTS)
  const forget = database.prepare('DELETE FROM webhook_seen WHERE webhook_id = ?')
  return {
    hasTriggered: (webhookId, address) => hasTriggered.get(webhookId, address) !== undefined,
    wasOverCap: (webhookId, since) => wasOverCap.get(webhookId, since) !== undefined,
    fieldsOf(webhookId, shape) {
      const row = fieldsOf.get(webhookId, shape)
      return row === undefined ? undefined : (JSON.parse(text(row['fields'])) as AlertField[])
    },
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
    },
    forgetRequests(tx, webhookId) {
      if (forgetRequests.run({ $id: webhookId }).changes !== 0) tx.hasWiped = true
    },
    forget(tx, webhookId) {
      if (forget.run(webhookId).changes !== 0) tx.hasWiped = true
    },
  }
}
