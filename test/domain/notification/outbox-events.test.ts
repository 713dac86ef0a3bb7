import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { NotificationEvent } from '#contracts/notification-event.ts'
import { HOOK, NotifiedWorld } from '#test/kit/notified-world.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

function eventsOf(given: NotifiedWorld) {
  return given
    .deliveries()
    .map(({ body }) => v.parse(NotificationEvent, JSON.parse(body)))
    .reverse()
}

test('each event is stored once, with the data of its schema', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.connect()
  const messageId = given.accept()
  given.sendFrame({ type: 'begin', messageId, attempt: 1 })
  for (const state of ['sent', 'sent', 'delivered', 'delivered'] as const)
    given.sendFrame({ type: 'report', messageId, attempt: 1, state, code: null, detail: null, at: null })
  const cancelled = given.accept({ queueIfOffline: true })
  given.world.ask('message.cancel', { accountId: given.accountId, test: false, messageId: cancelled })
  const incoming = { type: 'received', id: 'r1', from: '+14155550199', message: 'hi', simSlot: 1 } as const
  for (let turn = 0; turn < 2; turn += 1) given.sendFrame({ ...incoming, at: null })
  given.disconnect()
  given.world.advance(OFFLINE_AFTER_MS + 1)
  const events = eventsOf(given)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['device.online', 'sms.sent', 'sms.delivered', 'sms.failed', 'sms.received', 'device.offline'],
  )
  const [online, sent, , failed, received, offline] = events.map(({ data }) => data)
  const lastSeen = '2026-01-15T12:00:00.000Z'
  assert.deepEqual(online, { deviceId: given.deviceId, name: 'Shelf', status: 'online', lastSeen })
  assert.deepEqual(sent, { messageId, phoneNumber: '+14155550123', status: 'sent' })
  assert.ok(failed && 'failure' in failed && failed.failure.code === 'CANCELLED')
  assert.ok(received && 'from' in received && received.from === '+14155550199' && received.simSlot === 1)
  assert.ok(offline && 'status' in offline && offline.status === 'offline')
})

test('a phone that reconnects within offline_after_s causes no event', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.connect()
  given.disconnect()
  given.world.advance(OFFLINE_AFTER_MS - 1)
  given.connect()
  given.world.advance(OFFLINE_AFTER_MS * 2)
  assert.deepEqual(
    eventsOf(given).map(({ event }) => event),
    ['device.online'],
  )
})

test('events of sandbox messages are marked as such', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.deliver()
  assert.deepEqual(
    eventsOf(given).map(({ event, data }) => [event, data.test]),
    [
      ['sms.sent', true],
      ['sms.delivered', true],
    ],
  )
})

test('no event is stored for an account without a URL', () => {
  const given = new NotifiedWorld()
  given.connect()
  given.deliver()
  assert.deepEqual(given.deliveries(), [])
})

test('only subscribed events are stored', () => {
  const given = new NotifiedWorld()
  const { accountId } = given
  given.world.ask('notification.set', { accountId, url: HOOK, events: ['sms.delivered'] })
  given.deliver()
  assert.deepEqual(
    given.deliveries().map(({ event }) => event),
    ['sms.delivered'],
  )
})

test('an account whose plan no longer includes notifications gets no new ones', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.world.ask('account.set-plan', { email: 'owner@localhost', plan: 'standard' })
  given.deliver()
  assert.deepEqual(given.deliveries(), [])
})

test("a message's own URL gets its events instead of the account's URL, even if there is none", () => {
  for (const subscribed of [true, false]) {
    const given = new NotifiedWorld()
    if (subscribed) given.subscribe()
    given.deliver({ notificationUrl: 'https://own.test/x' })
    const due = [...given.exchange(), ...given.exchange()]
    assert.deepEqual(
      due.map(({ url }) => url),
      ['https://own.test/x'],
    )
    assert.match(due[0]?.secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(given.deliveries().length, 2)
  }
})

test('a transaction that fails leaves neither the change nor its event', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const { database } = given.world
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON notification_delivery
    WHEN NEW.event = 'sms.failed' BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  const messageId = given.accept({ queueIfOffline: true })
  const which = { accountId: given.accountId, test: false, messageId }
  assert.throws(() => given.world.ask('message.cancel', which), /broken/)
  const status = () => database.prepare('SELECT status FROM message WHERE id = ?').get(messageId)?.['status']
  assert.equal(status(), 'queued')
  database.exec('DROP TRIGGER broken')
  given.world.ask('message.cancel', which)
  assert.equal(status(), 'failed')
  assert.equal(given.deliveries().length, 1)
})
