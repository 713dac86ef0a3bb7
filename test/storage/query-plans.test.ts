/** Checks the query plan of every statement: none may scan a table that grows for months. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batch } from '#storage/batch.ts'
import { openCredentialReader } from '#storage/credential-store.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { openDeliveryReader } from '#storage/notification-reader.ts'
import { openPhoneHistoryReader } from '#storage/phone-history.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
import { systemSource } from '#storage/source.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { openWebhookReader, openWebhookRows } from '#storage/webhook-reader.ts'
import { TestWorld } from '#test/kit/world.ts'

/** Partial indexes of open rows. A scan of them is allowed, because they stay small. */
const SMALL = ['message_open', 'two_factor_open', 'notification_delivery_lane']
const GROWING = [
  'message',
  'message_call',
  'received',
  'notification_delivery',
  'two_factor',
  'idempotency',
  'webhook_trigger',
  'webhook_seen',
  'usage_quarter',
  'phone_history',
  'revoked_token',
]
const SCAN = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/

test('no statement scans a growing table', () => {
  const { database, settings } = new TestWorld()
  const statements = listenTo(database, () => {
    new Batch({
      database,
      settings,
      source: systemSource(new Uint8Array(32)),
      now: () => ({ wallMs: 0, monoMs: 0 }),
      faulted: error => assert.fail(String(error)),
    })
    openCredentialReader(database)
    openDayCountReader(database)
    openDeliveryReader(database)
    openInboxReader(database)
    openMessageReader(database)
    openPhoneHistoryReader(database)
    openPrincipalReader(database)
    openUsageReader(database)
    openSeenTriggerReader(database)
    openWebhookReader(database)
    openWebhookRows(database)
  })
  for (const table of GROWING)
    assert.ok(
      statements.some(sql => new RegExp(`(FROM|UPDATE|INTO) ${table}\\b`).test(sql)),
      table,
    )
  assert.deepEqual(
    statements.filter(sql => readsAll(database, sql)),
    [],
  )
})

test('the check finds a statement that scans one', () => {
  const { database } = new TestWorld()
  const open = "status IN ('queued', 'sending') OR (test = 1 AND status = 'sent')"
  assert.ok(readsAll(database, `SELECT * FROM message WHERE ${open} ORDER BY id`))
  assert.ok(readsAll(database, 'DELETE FROM usage_quarter WHERE accepted < ?'))
  assert.ok(!readsAll(database, `SELECT * FROM message WHERE ${open}`))
})

/** The statements that `run` prepares. */
function listenTo(database: DatabaseSync, run: () => void): string[] {
  const statements = new Set<string>()
  const prepare = database.prepare.bind(database)
  database.prepare = sql => {
    statements.add(sql)
    return prepare(sql)
  }
  run()
  database.prepare = prepare
  return [...statements]
}

function readsAll(database: DatabaseSync, sql: string): boolean {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return plan.some(({ detail }) => {
    const [, table = '', index = ''] = SCAN.exec(String(detail)) ?? []
    return GROWING.includes(table) && !SMALL.includes(index)
  })
}
