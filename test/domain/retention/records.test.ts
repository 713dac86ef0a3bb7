/**
 * Records are the rows that retention has emptied. Deleting them keeps the database from growing. A gateway
 * with a constant load runs for many days of the manual clock, with short retention times.
 * TEST_SIZE=long simulates more messages and days. The test prints the size of the file day by day.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { settingsOf } from '#app/config/settings.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { QUARTERS_PER_DAY, quarterOf } from '#domain/account/day-counts.ts'
import { DAY_MS } from '#domain/time.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { hash } from '#storage/source.ts'
import { CodeWorld } from '#test/kit/code-world.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { NotifiedWorld } from '#test/kit/notified-world.ts'
import { sized } from '#test/kit/test-size.ts'
import { FIELDS, NO_FACTS } from '#test/kit/webhook-world.ts'
import { TestWorld } from '#test/kit/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const PER_DAY = sized(8, 16)
const RETENTION_DAYS = 2
const RECORDS_DAYS = sized(8, 20)
/** After so many days, the number of rows with a limited lifetime no longer grows. */
const FULL_DAYS = RECORDS_DAYS + 2
const DAYS = sized(20, 50)
/** The allowed growth after that, because pages fill differently and each day adds counters. */
const GROWTH_MAX = 1.03

function shortLife(world: TestWorld): void {
  Object.assign(world.settings, {
    retentionMs: RETENTION_DAYS * DAY_MS,
    recordsMs: RECORDS_DAYS * DAY_MS,
    segmentsPerMinute: 6000,
    segmentsBurst: 1000,
  })
}

/** Starts a gateway with a database file, a webhook, notifications and a phone. */
function startGateway(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'roost-records-'))
  const file = join(folder, 'roost.db')
  const given = new NotifiedWorld(new TestWorld(file))
  const { world, accountId } = given
  t.after(() => {
    world.database.close()
    rmSync(folder, { recursive: true })
  })
  // No power cut happens here, and syncing each commit takes most of the time.
  world.database.exec('PRAGMA synchronous = OFF')
  shortLife(world)
  given.subscribe()
  given.connect()
  const { token } = world.ask('webhook.create', { accountId, fields: { ...FIELDS, maxPerHour: 1000 } })
  return { given, file, tokenHash: hash(token ?? '') }
}

type Gateway = ReturnType<typeof startGateway>

/** Does everything that adds rows once. */
function makeOneOfEach({ given, tokenHash }: Gateway, name: string): void {
  const { world, accountId, deviceId } = given
  const idempotency = { scope: accountId, key: name, bodyHash: 'h' }
  const sent = given.accept({ text: `a text of about the usual length, number ${name}`, idempotency })
  const alert = world.ask('webhook.trigger', {
    ...{ tokenHash, requestHash: hash(name), text: `alert ${name}`, segments: 1, encoding: 'GSM-7' },
    ...{ format: 'generic', address: '192.0.2.1', guess: true, shape: null, facts: NO_FACTS },
    kept: { contentType: null, body: name, headers: {}, fields: [], confirmationUrl: null },
  })
  for (const messageId of [sent, ...alert.messages.map(message => message.messageId)]) {
    given.sendFrame({ type: 'begin', messageId, attempt: 1 })
    for (const state of ['sent', 'delivered'] as const)
      given.sendFrame({ type: 'report', messageId, attempt: 1, state, code: null, detail: null, at: null })
  }
  given.sendFrame({
    type: 'received',
    id: name,
    from: '+19995550100',
    message: name,
    at: null,
    simSlot: null,
  })
  given.deliver({ text: `sandbox ${name}` })
  world.ask('two-factor.issue', {
    ...{ accountId, test: true, phoneNumber: '+14155550123', country: 'US', code: null },
    ...{ template: 'code {code}', validityMs: 300_000, deviceId: null, idempotency: null },
  })
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  const extra = world.ask('device.pair', { code, name, platform: null, appVersion: null }).deviceId
  assert.notEqual(extra, deviceId)
  world.ask('device.remove', { accountId, deviceId: extra })
  const key = world.ask('key.create-own', { accountId, name, test: true, cleanText: false })
  world.ask('key.revoke', { accountId, id: key.record.id })
}

function passDay(gateway: Gateway, day: number): number {
  const { given, file } = gateway
  for (let n = 0; n < PER_DAY; n++) {
    makeOneOfEach(gateway, `${day}-${n}`)
    given.sendEverything()
    given.world.advance(MINUTE_MS)
  }
  given.world.advance(DAY_MS - (given.world.wallMs % DAY_MS) + 12 * HOUR_MS)
  // These are kept longer than the test lasts, however short the configured times are.
  given.world.database.exec('DELETE FROM phone_history; DELETE FROM audit; PRAGMA wal_checkpoint(TRUNCATE)')
  return statSync(file).size
}

test('with a constant load the file stops growing once records are deleted', t => {
  const gateway = startGateway(t)
  const { world, accountId } = gateway.given
  const first = quarterOf(world.wallMs - (world.wallMs % DAY_MS))
  const sizes = Array.from({ length: DAYS }, (_, day) => passDay(gateway, day))
  t.diagnostic(`${PER_DAY} of each a day; KiB on each day: ${sizes.map(size => size / 1024).join(' ')}`)
  const full = sizes[FULL_DAYS - 1] as number
  assert.ok(full > 1.1 * (sizes[RETENTION_DAYS] as number), 'the file grows until then')
  assert.ok(Math.max(...sizes) <= full * GROWTH_MAX, `${full} bytes became ${Math.max(...sizes)}`)
  const read = openDayCountReader(world.database)
  for (let day = 0; day < DAYS; day++) {
    const from = first + day * QUARTERS_PER_DAY
    assert.equal(read(accountId, from, from + QUARTERS_PER_DAY)[0], 2 * PER_DAY)
  }
})

test('the record of a message is deleted after the time for records, unless the message is open', () => {
  const world = new CodeWorld()
  const old = acceptedIn(world.ask('message.accept', messageToAccept(world.accountId, { test: true })))
  world.advance(5_000)
  const reader = openMessageReader(world.database)
  const isThere = () => reader.find(world.accountId, true, old.messageId) !== undefined
  passDays(world, 399)
  assert.ok(isThere())
  assert.equal(reader.find(world.accountId, true, old.messageId)?.text, '')
  const waiting = { queueIfOffline: true, ttlMs: 3 * DAY_MS }
  const open = acceptedIn(world.ask('message.accept', messageToAccept(world.accountId, waiting)))
  passDays(world, 1)
  assert.ok(!isThere())
  // The wall clock jumps: the message is still open by the monotonic clock.
  passDays(world, 1000)
  assert.equal(world.status(open.messageId), 'queued')
})

test('a received text is deleted after the time for records', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const received = { type: 'received', id: 'r1', from: '+19995550100', at: null, simSlot: null } as const
  world.sendFrame({ ...received, message: 'hello' })
  passDays(world, 399)
  assert.equal(world.column('SELECT count(*) FROM received'), 1)
  passDays(world, 1)
  assert.equal(world.column('SELECT count(*) FROM received'), 0)
})

test('phones that were removed and keys that were revoked long ago are deleted, others stay', () => {
  const world = new CodeWorld()
  const { accountId } = world
  world.connectPhone()
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  const pairing = { code, name: null, platform: null, appVersion: null }
  const { deviceId } = world.ask('device.pair', pairing)
  world.ask('device.remove', { accountId, deviceId })
  const key = { accountId, name: 'k', test: true, cleanText: false }
  const revoked = world.ask('key.create-own', key).record.id
  const kept = world.ask('key.create-own', key).record.id
  world.ask('key.revoke', { accountId, id: revoked })
  passDays(world, 401)
  assert.equal(world.column('SELECT group_concat(id) FROM device'), world.deviceId)
  assert.equal(world.column(`SELECT count(*) FROM api_key WHERE id = '${revoked}'`), 0)
  assert.equal(world.column(`SELECT count(*) FROM api_key WHERE id = '${kept}'`), 1)
})

test('records are never deleted before retention has emptied them', () => {
  const messages = { ...CONFIG_DEFAULTS.messages, retention_days: 1000, records_days: 30 }
  const settings = settingsOf({ ...CONFIG_DEFAULTS, messages }, { publicUrl: '', authority: null })
  assert.equal(settings.recordsMs, 1000 * DAY_MS)
})

/** Moves the wall clock by days, confirms it, and runs the hourly retention. */
function passDays(world: TestWorld, days: number): void {
  world.wallMs += days * DAY_MS
  world.ask('clock.confirm', {})
  world.advance(HOUR_MS)
}
