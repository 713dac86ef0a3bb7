import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { IDEMPOTENCY_KEPT_MS } from '#contracts/bounds.ts'
import type { ReportedAttempt } from '#contracts/notification-delivery.ts'
import { RETENTION_EVERY_MS } from '#domain/retention/apply-retention.ts'
import { openReadOnly } from '#storage/database.ts'
import { LOG_ERASED_EVERY_MS } from '#storage/log-eraser.ts'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { messageToAccept } from '#test/kit/messages.ts'
import { OK, reports } from '#test/kit/notified-world.ts'

/** Opens a gateway with a database file and a phone, and a view of the write-ahead log. */
function openWorld(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'roost-log-'))
  const file = join(folder, 'roost.db')
  const world = new CodeWorld(file)
  t.after(() => {
    world.database.close()
    rmSync(folder, { recursive: true })
  })
  world.connectPhone()
  world.advance(0)
  return {
    world,
    file,
    log: `${file}-wal`,
    holds: (text: string) => readFileSync(`${file}-wal`).includes(text),
  }
}

/** Sends the text of a code and delivers it. */
function deliver(world: CodeWorld, code: string): void {
  world.issue({ test: false, code })
  const [offer] = world.offers()
  assert.ok(offer)
  world.sendFrame({ type: 'begin', messageId: offer.messageId, attempt: offer.attempt })
  world.report(offer.messageId, 'delivered')
}

test('the text of a code is gone from the write-ahead log right after it was wiped', t => {
  const { world, log, holds } = openWorld(t)
  deliver(world, 'Sesame1')
  assert.ok(holds('Sesame1'))
  world.advance(0)
  assert.equal(statSync(log).size, 0)
})

test('the log is erased at most once a second, and only after a wipe', t => {
  const { world, log, holds } = openWorld(t)
  deliver(world, 'Sesame1')
  world.advance(0)
  deliver(world, 'Sesame2')
  world.advance(LOG_ERASED_EVERY_MS - 1)
  assert.ok(holds('Sesame2'))
  world.advance(1)
  assert.ok(!holds('Sesame2'))
  world.ask('key.create', { email: 'owner@localhost', name: 'more', test: true })
  world.advance(10 * LOG_ERASED_EVERY_MS)
  assert.ok(statSync(log).size > 0)
})

test('a reader delays the erasing of the log, but no other work', t => {
  const { world, file, holds } = openWorld(t)
  const reader = openReadOnly(file)
  reader.exec('BEGIN; SELECT count(*) FROM message')
  deliver(world, 'Sesame1')
  world.advance(0)
  assert.ok(holds('Sesame1'))
  assert.equal(world.database.prepare('PRAGMA busy_timeout').get()?.['timeout'], 5000)
  reader.exec('COMMIT')
  world.advance(LOG_ERASED_EVERY_MS)
  assert.ok(!holds('Sesame1'))
  reader.close()
})

/** Sends all pending events, because retention waits for the events of the rows that it removes. */
function sendEvents(world: CodeWorld): void {
  const exchange = (results: readonly ReportedAttempt[]) =>
    world.ask('notification.exchange', { results, room: 512 }).deliveries
  for (let due = exchange([]); due.length > 0; due = exchange(reports(due, OK)));
}

test('what retention empties is gone from the log as well', t => {
  const { world, holds } = openWorld(t)
  const sms = { test: true, phoneNumber: NUMBER, text: 'for your eyes only' } as const
  const notificationUrl = 'https://example.com/a-secret-path'
  world.ask('message.accept', messageToAccept(world.accountId, { ...sms, notificationUrl }))
  world.advance(5_000)
  sendEvents(world)
  world.wallMs += 91 * 86_400_000
  world.ask('clock.confirm', {})
  world.advance(3_600_000)
  world.advance(LOG_ERASED_EVERY_MS)
  const column = 'SELECT notification_url FROM message'
  assert.equal(world.column(column), null)
  assert.ok(!holds('for your eyes only'))
  assert.ok(!holds('a-secret-path'))
})

test('the answer kept for an idempotency key is gone from the log after it expired', t => {
  const { world, holds } = openWorld(t)
  const idempotency = { scope: world.accountId, key: 'a-telling-key', bodyHash: 'hash' }
  world.ask('message.accept', messageToAccept(world.accountId, { test: true, idempotency }))
  assert.ok(holds('a-telling-key'))
  world.wallMs += IDEMPOTENCY_KEPT_MS
  world.advance(RETENTION_EVERY_MS)
  world.advance(LOG_ERASED_EVERY_MS)
  assert.ok(!holds('a-telling-key'))
})

test('a replaced secret is gone from the log', t => {
  const { world, file, holds } = openWorld(t)
  const { accountId } = world
  const { secret } = world.ask('notification.rotate', { accountId })
  assert.ok(holds(String(secret)))
  world.ask('notification.rotate', { accountId })
  world.advance(LOG_ERASED_EVERY_MS)
  assert.ok(!holds(String(secret)))
  assert.ok(!readFileSync(file).includes(String(secret)))
})

test('a pairing code cannot be computed from its stored MAC', t => {
  const { world } = openWorld(t)
  const { code } = world.ask('device.create-pairing', { accountId: world.accountId, name: null })
  const kept = Buffer.from(world.column('SELECT code_hash FROM pairing') as Uint8Array)
  assert.notDeepEqual(kept, createHash('sha256').update(code).digest())
})
