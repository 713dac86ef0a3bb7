import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptMessage } from '#contracts/commands.ts'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { RETENTION_EVERY_MS } from '#domain/retention/apply-retention.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { HELLO } from '#test/kit/hello.ts'
import { acceptedIn } from '#test/kit/messages.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { newsOf } from '#transport/device/roost/frame-translation.ts'

const HOUR_MS = 3_600_000
const TTL_MS = 60_000
/** So long a text may wait before the queue counts as stalled. */
const STALLED_MS = 600_000

function withScheduled(different: Partial<AcceptMessage> = {}) {
  const gateway = openWorld(2)
  const [phone, other] = gateway.phones
  assert.ok(phone && other)
  const sendAt = gateway.world.wallMs + HOUR_MS
  const id = gateway.send({ sendAt, ttlMs: TTL_MS, queueIfOffline: false, ...different })
  return { ...gateway, phone, other, sendAt, id }
}

test('a scheduled message is accepted without a phone, and offered to none before its time', () => {
  const { world, phone, other, stored, sendAt, id } = withScheduled()
  phone.connect({ country: 'DE' })
  other.connect({ country: 'US' })
  world.advance(HOUR_MS - 1)
  assert.deepEqual([...phone.received(), ...other.received()], [])
  const { status, expiresAt, sendAt: shown } = stored(id)
  assert.deepEqual([status, expiresAt, shown], ['queued', sendAt + TTL_MS, sendAt])
  world.advance(1)
  assert.deepEqual(other.offered(), [id], 'the phone with a SIM of the country')
  assert.deepEqual(phone.offered(), [])
})

test('the time to live begins at the time of the message', () => {
  const { world, stored, id } = withScheduled()
  world.advance(HOUR_MS + TTL_MS - 1)
  assert.equal(endOf(stored(id)), 'queued')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('a restart keeps the time, and a message whose time passed in between is sent or expires', () => {
  const { world, phone, id } = withScheduled()
  world.restart()
  phone.connect()
  world.advance(HOUR_MS - 1)
  assert.deepEqual(phone.offered(), [])
  world.advance(1)
  assert.deepEqual(phone.offered(), [id])
  for (const [downMs, wanted] of [
    [HOUR_MS + TTL_MS - 1, 'queued'],
    [HOUR_MS + TTL_MS, 'EXPIRED'],
  ] as const) {
    const late = withScheduled()
    late.world.wallMs += downMs
    late.world.restart()
    // What only a wrong clock may have made expire waits for ten minutes.
    late.world.advance(wanted === 'EXPIRED' ? 600_000 : 0)
    assert.equal(endOf(late.stored(late.id)), wanted)
    late.phone.hello()
    late.phone.sync()
    assert.deepEqual(late.phone.offered(), wanted === 'queued' ? [late.id] : [])
  }
})

test('a jump of the wall clock moves the time, and not the deadlines of other messages', () => {
  const { world, phone, id, send, stored, sendAt } = withScheduled()
  const waiting = send({ ttlMs: 2 * HOUR_MS })
  world.wallMs += 30 * 60_000
  world.advance(30 * 60_000 - 1)
  assert.equal(world.wallMs, sendAt - 1)
  phone.connect()
  phone.begin(waiting)
  phone.report(waiting, 'submitted')
  phone.received()
  world.wallMs -= 10 * 60_000
  world.advance(10 * 60_000)
  assert.deepEqual(phone.offered(), [])
  world.advance(1)
  assert.deepEqual(phone.offered(), [id])
  assert.equal(endOf(stored(waiting)), 'sending')
})

test('jumps of the wall clock leave no deadlines behind', () => {
  const { world, phone, id, sendAt } = withScheduled()
  phone.connect()
  for (let jump = 0; jump < 1_000; jump++) {
    world.wallMs += jump % 2 === 0 ? -5_000 : 5_000
    world.advance(0)
  }
  world.advance(sendAt - world.wallMs - 1)
  assert.deepEqual(phone.offered(), [])
  world.advance(1)
  assert.deepEqual(phone.offered(), [id])
})

test('a clock ahead at a restart ends no message if a phone connects with the first commands', () => {
  const { world, phone, stored, id } = withScheduled()
  world.advance(TTL_MS)
  world.wallMs += DAY_MS
  world.restart()
  const { deviceId } = phone
  const connection = { listener: 1, socket: 1_000_000 }
  const frames: PhoneFrame[] = [HELLO, { type: 'sync', messages: [], more: false }]
  world.batch.run(
    frames.map((frame, call) => ({
      id: call,
      name: 'phone.news',
      input: { deviceId, connection, news: newsOf(frame) },
    })),
  )
  assert.equal(endOf(stored(id)), 'queued')
})

test('a jump that leaves a message some seconds to live does not end it', () => {
  const { world, stored, id } = withScheduled()
  world.advance(TTL_MS)
  const aheadMs = HOUR_MS - TTL_MS / 2
  world.wallMs += aheadMs
  world.advance(0)
  world.advance(2 * TTL_MS)
  assert.equal(endOf(stored(id)), 'queued')
  world.wallMs -= aheadMs
  world.advance(HOUR_MS - 2 * TTL_MS - 1)
  assert.equal(endOf(stored(id)), 'queued')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('a scheduled message can be cancelled, and ends with the phone that it names', () => {
  const { world, phone, cancel, stored, id } = withScheduled()
  assert.equal(cancel(id).failure?.code, 'CANCELLED')
  phone.connect()
  world.advance(2 * HOUR_MS)
  assert.deepEqual(phone.offered(), [])
  assert.equal(endOf(stored(id)), 'CANCELLED')
  const gateway = openWorld()
  const [named] = gateway.phones
  assert.ok(named)
  const sendAt = gateway.world.wallMs + HOUR_MS
  const pinned = gateway.send({ sendAt, deviceId: named.deviceId, queueIfOffline: false })
  gateway.remove(named)
  assert.equal(endOf(gateway.stored(pinned)), 'DEVICE_REMOVED')
  const elsewhere = { sendAt, deviceId: 'dev_00000000000000000000000000' }
  assert.throws(() => gateway.send(elsewhere), { code: 'NOT_FOUND' })
})

test('a named phone gets its scheduled message, and no other phone does', () => {
  const gateway = openWorld(2)
  const [named, other] = gateway.phones
  assert.ok(named && other)
  const id = gateway.send({ sendAt: gateway.world.wallMs + HOUR_MS, deviceId: named.deviceId })
  other.connect()
  gateway.world.advance(HOUR_MS)
  assert.deepEqual(other.offered(), [])
  named.connect()
  gateway.world.advance(0)
  assert.equal(gateway.stored(id).deviceId, named.deviceId)
})

test('a sandbox message begins its life at its time', () => {
  const { world, stored, id } = withScheduled({ test: true })
  world.advance(HOUR_MS - 1)
  assert.equal(endOf(stored(id)), 'queued')
  world.restart()
  world.advance(10_000)
  assert.equal(endOf(stored(id)), 'delivered')
})

test('a time that has just passed is now, and others in the past or far ahead are refused', () => {
  const { world, phones, send } = openWorld()
  const [phone] = phones
  assert.ok(phone)
  phone.connect()
  const id = send({ sendAt: world.wallMs - 5 * 60_000 })
  assert.deepEqual(phone.offered(), [id])
  const refusal = { code: 'INVALID_REQUEST', message: /^sendAt: / }
  assert.throws(() => send({ sendAt: world.wallMs - 5 * 60_000 - 1 }), refusal)
  send({ sendAt: world.wallMs + 90 * DAY_MS })
  assert.throws(() => send({ sendAt: world.wallMs + 90 * DAY_MS + 1 }), refusal)
})

test('the first answer is repeated for a key after the time has passed', () => {
  const { world, message } = openWorld()
  const idempotency = { scope: 'acc/sms', key: 'k', bodyHash: 'one' }
  const request = message({ sendAt: world.wallMs + HOUR_MS, idempotency })
  const { messageId } = acceptedIn(world.ask('message.accept', request))
  world.advance(2 * HOUR_MS)
  const again = world.ask('message.accept', request)
  assert.equal(again.replayed, true)
  assert.equal(acceptedIn(again).messageId, messageId)
})

test('a scheduled message counts on the day of its acceptance', () => {
  const { world, accountId, sendAt, send } = withScheduled()
  const usedOn = (wallMs: number) => openUsageReader(world.database).ofDay(accountId, dayOf(wallMs)).sms
  const later = send({ sendAt: sendAt + DAY_MS })
  assert.ok(later)
  world.advance(2 * DAY_MS)
  assert.deepEqual([usedOn(sendAt), usedOn(sendAt + DAY_MS)], [2, 0])
})

test('only from its time on does a message count as waiting', () => {
  const { world, accountId, phone, sendAt } = withScheduled({ ttlMs: HOUR_MS })
  phone.connect()
  phone.sendFrame({ type: 'telemetry', battery: null, charging: null, signal: null, sims: null, busy: true })
  const problems = () =>
    world.ask('health.list', { accountId }).filter(({ code }) => code === 'QUEUE_STALLED')
  world.advance(HOUR_MS + STALLED_MS - 1)
  assert.deepEqual(problems(), [])
  world.advance(1)
  assert.deepEqual(
    problems().map(({ since }) => since),
    [new Date(sendAt).toISOString()],
  )
})

test('retention counts from the time of the message', () => {
  const { world, phones, send, stored } = openWorld()
  const [phone] = phones
  assert.ok(phone)
  Object.assign(world.settings, { retentionMs: DAY_MS })
  const id = send({ sendAt: world.wallMs + 3 * DAY_MS })
  world.advance(3 * DAY_MS)
  phone.connect()
  phone.begin(id)
  phone.report(id, 'sent')
  world.advance(DAY_MS - RETENTION_EVERY_MS)
  assert.equal(stored(id).text, 'hello')
  world.advance(2 * RETENTION_EVERY_MS)
  assert.equal(stored(id).text, '')
})
