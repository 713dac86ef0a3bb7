import type { DatabaseSync } from 'node:sqlite'
import type { HeldAlerts } from '#contracts/seen-trigger.ts'
import type { Webhook, WebhookCounters } from '#domain/webhook/webhook.ts'
import type { TriggerLog, WebhookReader, WebhookRows } from '#domain/webhook/webhook-store.ts'
import { columnsOf, recordOf } from '#storage/columns.ts'
import { numberOrNull, optional, type Row, text, textOrNull } from '#storage/row.ts'

/** Reads webhooks, for a listener. */
export function openWebhookReader(database: DatabaseSync): WebhookReader {
  const plan = database.prepare('SELECT plan FROM account WHERE id = ?')
  return {
    ...openWebhookRows(database),
    planOf: accountId => textOrNull(plan.get(accountId)?.['plan']) ?? undefined,
  }
}

/** The ids of webhooks that still have to send a summary of refused alerts. */
export function readWebhooksWithHeldAlerts(database: DatabaseSync): readonly string[] {
  return database
    .prepare('SELECT id FROM webhook WHERE held_count > 0')
    .all()
    .map(row => text(row['id']))
}

/** The webhooks that have gathered something to tell. */
export function readStorms(database: DatabaseSync): readonly string[] {
  return database
    .prepare('SELECT webhook_id FROM webhook_storm WHERE next_at NOT NULL')
    .all()
    .map(row => text(row['webhook_id']))
}

/** The webhooks that may be silent. */
export function readSilences(database: DatabaseSync): readonly string[] {
  return database
    .prepare('SELECT id FROM webhook WHERE silent_at NOT NULL')
    .all()
    .map(row => text(row['id']))
}

/** The queries that listeners and the writer share. */
export function openWebhookRows(database: DatabaseSync): WebhookRows {
  const byToken = database.prepare('SELECT * FROM webhook WHERE token_hash = ?1 OR mail_hash = ?1')
  const find = database.prepare('SELECT * FROM webhook WHERE id = ? AND account_id = ?')
  const get = database.prepare('SELECT * FROM webhook WHERE id = ?')
  const list = database.prepare('SELECT * FROM webhook WHERE account_id = ? ORDER BY id')
  return {
    triggers: openTriggerLog(database),
    byToken: hash => optional(byToken.get(hash), webhookOf),
    get: id => optional(get.get(id), webhookOf),
    find: (accountId, id) => optional(find.get(id, accountId), webhookOf),
    list: accountId => list.all(accountId).map(webhookOf),
  }
}

function openTriggerLog(database: DatabaseSync): TriggerLog {
  const within = 'FROM webhook_trigger WHERE webhook_id = ? AND at > ? AND at <= ? AND is_free = 0'
  const count = database.prepare(`SELECT count(*) AS count ${within}`)
  const timeAt = database.prepare(`SELECT at ${within} ORDER BY at LIMIT 1 OFFSET ?`)
  // The index by request finds the row directly. The index by time would visit up to a thousand rows.
  const first = database.prepare(`
    SELECT message_ids, incident_id FROM webhook_trigger AS one INDEXED BY webhook_trigger_request
    WHERE webhook_id = ? AND request_hash = ? AND at > ? AND at <= ? AND message_ids <> '' AND NOT EXISTS (
      SELECT 1 FROM webhook_trigger AS other INDEXED BY webhook_trigger_at
      WHERE other.webhook_id = one.webhook_id AND other.at >= one.at AND other.serial > one.serial
        AND other.request_hash <> one.request_hash AND other.thing IS NOT ''
        AND (other.thing IS one.thing OR other.thing IS NULL OR one.thing IS NULL))
    ORDER BY at LIMIT 1`)
  const mail = database.prepare(
    'SELECT 1 FROM taken_mail WHERE webhook_id = ? AND mail_hash = ? AND at > ? AND at <= ?',
  )
  return {
    hasMail: (id, mailHash, { since, until }) => mail.get(id, mailHash, since, until) !== undefined,
    count: (id, { since, until }) => Number(count.get(id, since, until)?.['count']),
    timeAt(id, { since, until }, index) {
      return numberOrNull(timeAt.get(id, since, until, index)?.['at']) ?? undefined
    },
    firstOf(id, requestHash, { since, until }) {
      const row = first.get(id, requestHash, since, until)
      if (row === undefined) return undefined
      const messageIds = JSON.parse(text(row['message_ids'])) as string[]
      return { messageIds, incidentId: textOrNull(row['incident_id']) }
    },
  }
}

function heldOf(row: Row): HeldAlerts | null {
  const hash = row['held_hash']
  if (!(hash instanceof Uint8Array)) return null
  return { count: Number(row['held_count']), text: text(row['held_text']), requestHash: hash }
}

export const WEBHOOK_COLUMNS = columnsOf<Omit<Webhook, 'held' | 'readings' | 'counters'>>({
  id: 'plain',
  accountId: 'plain',
  tokenHint: 'plain',
  name: 'plain',
  recipients: 'json',
  people: 'json',
  maxPerHour: 'plain',
  messageTemplate: 'plain',
  allowedIps: 'json',
  deviceId: 'plain',
  policyId: 'plain',
  enabled: 'flag',
  minSeverity: 'plain',
  sendRecovered: 'flag',
  summarizeOverflow: 'flag',
  keepLastBody: 'flag',
  gather: 'flag',
  silentAfterMinutes: 'plain',
  heardAt: 'plain',
  silentAt: 'plain',
  noticedAt: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
})

const COUNTER_COLUMNS = columnsOf<WebhookCounters>({
  total: 'plain',
  rejected: 'plain',
  day: 'plain',
  onDay: 'plain',
  lastTriggeredAt: 'plain',
  guesses: 'json',
})

function webhookOf(row: Row): Webhook {
  return {
    ...recordOf(row, WEBHOOK_COLUMNS),
    held: heldOf(row),
    // Parsed when they are used: a list of 200 webhooks may hold 50 readings of each.
    get readings() {
      return JSON.parse(text(row['readings'])) as Webhook['readings']
    },
    counters: recordOf(row, COUNTER_COLUMNS),
  }
}
