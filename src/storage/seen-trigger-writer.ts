import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { SeenTriggerStore } from '#domain/webhook/seen-trigger-store.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** The trigger history of webhooks in the database, for the writer. */
export function openSeenTriggerStore(database: DatabaseSync): SeenTriggerStore {
  const has = 'SELECT 1 FROM webhook_seen WHERE webhook_id = ? AND outcome ='
  const hasTriggered = database.prepare(`${has} 'TRIGGERED' AND address = ? LIMIT 1`)
  const wasOverCap = database.prepare(`${has} 'OVER_CAP' AND at > ? LIMIT 1`)
  const insert = database.prepare(`
    INSERT INTO webhook_seen (webhook_id, at, address, outcome, format, message) VALUES (?, ?, ?, ?, ?, ?)`)
  const trim = database.prepare(`
    DELETE FROM webhook_seen WHERE webhook_id = $id AND seq <= (
      SELECT seq FROM webhook_seen WHERE webhook_id = $id ORDER BY seq DESC
      LIMIT 1 OFFSET ${SEEN_TRIGGERS_MAX})`)
  const keep = database.prepare('INSERT OR REPLACE INTO webhook_body VALUES (?, ?, ?, ?)')
  const forgetBody = database.prepare('DELETE FROM webhook_body WHERE webhook_id = ?')
  const forget = database.prepare('DELETE FROM webhook_seen WHERE webhook_id = ?')
  return {
    hasTriggered: (webhookId, address) => hasTriggered.get(webhookId, address) !== undefined,
    wasOverCap: (webhookId, since) => wasOverCap.get(webhookId, since) !== undefined,
    add(_tx, webhookId, seen) {
      for (const { at, address, outcome, format, message } of seen)
        insert.run(webhookId, at, address, outcome, format, message)
      trim.run({ $id: webhookId })
    },
    keepBody(_tx, webhookId, { at, contentType, text }) {
      keep.run(webhookId, at, contentType, text)
    },
    forgetBody(tx, webhookId) {
      if (forgetBody.run(webhookId).changes !== 0) tx.hasWiped = true
    },
    forget(tx, webhookId) {
      if (forget.run(webhookId).changes !== 0) tx.hasWiped = true
      if (forgetBody.run(webhookId).changes !== 0) tx.hasWiped = true
    },
  }
}
