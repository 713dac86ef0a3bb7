import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { TriggerOutcome } from '#contracts/seen-trigger.ts'
import type { AlertFormat } from '#contracts/webhook.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import { text, textOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Reads the trigger history of webhooks, for a listener. */
export function openSeenTriggerReader(database: DatabaseSync): SeenTriggerReader {
  const list = database.prepare(`
    SELECT * FROM webhook_seen WHERE webhook_id = ? AND at > ? ORDER BY seq DESC LIMIT ${SEEN_TRIGGERS_MAX}`)
  const body = database.prepare('SELECT * FROM webhook_body WHERE webhook_id = ? AND at > ?')
  return {
    list: (webhookId, since) =>
      list.all(webhookId, since).map(row => ({
        at: Number(row['at']),
        address: text(row['address']),
        outcome: text(row['outcome']) as TriggerOutcome,
        format: textOrNull(row['format']) as AlertFormat | null,
        message: textOrNull(row['message']),
      })),
    lastBody(webhookId, since) {
      const row = body.get(webhookId, since)
      if (row === undefined) return undefined
      return { at: Number(row['at']), contentType: textOrNull(row['content_type']), text: text(row['body']) }
    },
  }
}
