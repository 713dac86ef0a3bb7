import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { LAST_SEEN_UNSAVED_MS_MAX } from '#domain/sending/open-phone-session.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'

const HELLO: PhoneFrame = {
  type: 'hello',
  protocol: 1,
  bootId: '',
  appVersion: null,
  platform: null,
  sims: [],
}

function withPhone() {
  const gateway = openWorld(1)
  const [phone] = gateway.phones
  assert.ok(phone)
  return { ...gateway, phone }
}

test('no message is offered before the journal was read completely', () => {
  const { phone, send } = withPhone()
  const id = send()
  phone.hello()
  phone.sync([], true)
  assert.deepEqual(phone.received(), ['welcome'])
  phone.sync()
  assert.deepEqual(phone.received(), ['synced', 'offer/1'])
  phone.begin(id)
  assert.deepEqual(phone.received(), ['go/1'])
})

test('a begin on a superseded connection is ignored', () => {
  const { phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  const older = phone.connection
  phone.connect()
  assert.deepEqual(phone.received(older.socket), ['offer/1', 'close'])
  phone.sendFrame({ type: 'begin', messageId: id, attempt: 1 }, older)
  assert.deepEqual([phone.received(), phone.received(older.socket)], [[], []])
  assert.equal(endOf(stored(id)), 'queued')
})

test('a report on a superseded connection is accepted and acknowledged there', () => {
  const { phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  phone.begin(id)
  const older = phone.connection
  phone.connect({ journal: [{ messageId: id, attempt: 1, state: 'submitting', code: null }] })
  phone.received(older.socket)
  const report = {
    type: 'report',
    messageId: id,
    attempt: 1,
    state: 'sent',
    code: null,
    detail: null,
    at: null,
  }
  phone.sendFrame(report as Parameters<typeof phone.sendFrame>[0], older)
  assert.equal(endOf(stored(id)), 'sent')
  assert.deepEqual(phone.received(older.socket), ['ack/1'])
})

test('"accepted" in the first sync of a session proves that nothing was sent', () => {
  const { phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  phone.begin(id)
  const told = phone.connect({ journal: [{ messageId: id, attempt: 1, state: 'accepted', code: null }] })
  assert.deepEqual(told, ['welcome', 'no/1', 'synced', 'offer/2'])
  assert.deepEqual(
    stored(id).timeline.map(({ status }) => status),
    ['queued', 'sending', 'queued'],
  )
})

test('"accepted" in a later sync proves nothing: a go may be on its way', () => {
  const { phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.received()
  phone.sync([{ messageId: id, attempt: 1, state: 'accepted', code: null }])
  assert.deepEqual(phone.received(), [])
  assert.equal(endOf(stored(id)), 'sending')
})

test('a hello that arrives after a newer connection is refused, and its journal proves nothing', () => {
  const { phone, send, stored } = withPhone()
  phone.hello()
  const late = phone.connection
  phone.close()
  phone.received()
  phone.connect()
  const id = send()
  phone.begin(id)
  assert.deepEqual(phone.received(), ['offer/1', 'go/1'])
  phone.sendFrame(
    { type: 'hello', protocol: 1, bootId: '', appVersion: null, platform: null, sims: [] },
    {
      ...late,
    },
  )
  const accepted = { messageId: id, attempt: 1, state: 'accepted', code: null } as const
  phone.sendFrame({ type: 'sync', messages: [accepted], more: false }, late)
  assert.deepEqual(phone.received(late.socket), ['close'])
  assert.equal(endOf(stored(id)), 'sending')
  assert.deepEqual(phone.received(), [])
})

test('after its listener ended, a phone works on another one, and a late hello is refused', () => {
  const { world, phone } = withPhone()
  phone.connect()
  const { socket } = phone.connection
  world.ask('listener.gone', { listener: 1 })
  phone.sendFrame(HELLO, { listener: 2, socket: socket - 1 })
  assert.deepEqual(phone.received(socket - 1), ['close'])
  phone.sendFrame(HELLO, { listener: 2, socket: socket + 1 })
  assert.deepEqual(phone.received(socket + 1), ['welcome'])
})

test('a second hello on one connection ends it', () => {
  const { world, phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.received()
  phone.sendFrame(HELLO)
  phone.sync([{ messageId: id, attempt: 1, state: 'accepted', code: null }])
  assert.deepEqual(phone.received(), ['close'])
  assert.equal(endOf(stored(id)), 'sending')
  world.advance(45_000)
  assert.equal(world.ask('device.list', { accountId: null })[0]?.status, 'offline')
})

test('a report of another phone, attempt or message changes nothing and is acknowledged', () => {
  const { world, phones, send, stored } = openWorld(2)
  const [phone, other] = phones
  assert.ok(phone && other)
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.received()
  other.connect()
  other.report(id, 'sent')
  phone.report(id, 'sent', { attempt: 2 })
  phone.report('msg_00000000000000000000000000', 'sent')
  assert.deepEqual([...other.received(), ...phone.received()], ['ack/1', 'ack/2', 'ack/1'])
  assert.equal(endOf(stored(id)), 'sending')
  assert.equal(world.faults.length, 0)
})

test('begin gets go only once; for a message that was not offered it gets the frame "no"', () => {
  const { phone, send } = withPhone()
  phone.connect()
  const id = send()
  phone.begin(id, 2)
  phone.begin(id)
  phone.begin(id)
  phone.begin('msg_00000000000000000000000000')
  assert.deepEqual(phone.received(), ['offer/1', 'no/2', 'go/1', 'no/1', 'no/1'])
})

test('a stopping gateway gives no go to any phone', () => {
  const { world, phone, send, stored } = withPhone()
  phone.connect()
  const id = send()
  world.batch.stopping = true
  phone.begin(id)
  assert.deepEqual(phone.received(), ['offer/1', 'no/1'])
  assert.equal(endOf(stored(id)), 'queued')
})

test('a phone with nothing new is written at most every ten minutes, but open pages learn of it', () => {
  const { world, accountId, phone } = withPhone()
  world.ask('live.join', { accountId, listener: 1, socket: 1 })
  phone.connect()
  const { deviceId } = phone
  const row = world.database.prepare('SELECT last_seen_at, sims FROM device WHERE id = ?')
  /** Connects. Returns whether the phone was written, and the subjects of the news. */
  const reconnect = (country?: string) => {
    const before = row.get(deviceId)
    world.effects.splice(0)
    phone.hello(country)
    phone.sync()
    const news = world.effects.flatMap(effect => (effect.kind === 'news' ? [effect.news.id] : []))
    const isWritten = JSON.stringify(row.get(deviceId)) !== JSON.stringify(before)
    return { isWritten, news: [...new Set(news)] }
  }
  world.advance(LAST_SEEN_UNSAVED_MS_MAX - 1)
  assert.deepEqual(reconnect(), { isWritten: false, news: [deviceId] })
  assert.deepEqual(reconnect('FR'), { isWritten: true, news: [deviceId] })
  world.advance(1)
  assert.equal(reconnect('FR').isWritten, false)
  world.advance(LAST_SEEN_UNSAVED_MS_MAX)
  assert.equal(reconnect('FR').isWritten, true)
})

test('a phone that comes online again is stored with the time at which it was seen', () => {
  const { world, phone } = withPhone()
  phone.connect()
  phone.close()
  world.advance(world.settings.offlineAfterMs)
  phone.connect()
  const row = world.database.prepare('SELECT last_seen_at AS at FROM device WHERE id = ?').get(phone.deviceId)
  assert.equal(row?.['at'], world.wallMs)
})
