import type { AlertField } from '#contracts/alert-reading.ts'
import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { KeptRequest, TriggerOutcome } from '#contracts/seen-trigger.ts'
import type { AlertFormat } from '#contracts/webhook.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import { optional, type Row, text, textOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Reads the trigger history of webhooks, for a listener. */
export function openSeenTriggerReader(database: DatabaseSync): SeenTriggerReader {
  const list = database.prepare(`
    SELECT * FROM webhook_seen WHERE webhook_id = ? AND at > ? ORDER BY seq DESC LIMIT ${SEEN_TRIGGERS_MAX}`)
  const last = database.prepare(`
    SELECT at, message, guess AND format <> 'template' AS guess FROM webhook_seen
    WHERE webhook_id = ? AND at > ? AND message IS NOT NULL ORDER BY seq DESC LIMIT 1`)
  return {
    lastText: (webhookId, since) =>
      optional(last.get(webhookId, since), row => ({
        at: Number(row['at']),
        message: text(row['message']),
        guess: row['guess'] === 1,
      })),
    list: (webhookId, since) =>
      list.all(webhookId, since).map(row => ({
        seq: Number(row['seq']),
        at: Number(row['at']),
        address: text(row['address']),
        outcome: text(row['outcome']) as TriggerOutcome,
        format: textOrNull(row['format']) as AlertFormat | null,
        message: textOrNull(row['message']),
        guess: row['guess'] === 1,
        shape: textOrNull(row['shape']),
        kept: keptOf(row),
      })),
  }
}

function keptOf(row: Row): KeptRequest | null {
  const body = textOrNull(row['body'])
  if (body === null) return null
  return {
    contentType: textOrNull(row['content_type']),
    confirmationUrl: textOrNull(row['confirmation_url']),
    headers: JSON.parse(text(row['headers'])) as Record<string, string>,
    fields: JSON.parse(text(row['fields'])) as AlertField[],
    body,
  }
}
