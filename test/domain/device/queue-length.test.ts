import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

function withQueue() {
  const gateway = openWorld()
  const [phone] = gateway.phones
  assert.ok(phone)
  const { world, accountId } = gateway
  const { deviceId } = phone
  const queueLength = () => world.ask('device.find', { accountId, deviceId }).queueLength
  const listed = () => world.ask('device.list', { accountId })[0]
  return { ...gateway, phone, deviceId, queueLength, listed }
}

test('the queue length counts all waiting messages, offered or not', () => {
  const { phone, send, queueLength } = withQueue()
  phone.connect()
  const ids = Array.from({ length: 5 }, () => send())
  assert.equal(queueLength(), 5)
  assert.deepEqual(phone.offered(), ids.slice(0, 3))
  phone.begin(ids[0] ?? '')
  assert.equal(queueLength(), 4)
  phone.report(ids[0] ?? '', 'sent')
  assert.equal(queueLength(), 4)
})

test('messages for any phone count in the queue of a paused or absent phone', () => {
  const { world, phone, deviceId, send, update, queueLength } = withQueue()
  send()
  send({ deviceId })
  assert.equal(queueLength(), 2, 'never connected')
  phone.connect()
  assert.equal(queueLength(), 2)
  update(phone, { paused: true })
  send()
  assert.equal(queueLength(), 3)
  update(phone, { paused: false })
  phone.close()
  world.advance(OFFLINE_AFTER_MS)
  assert.equal(queueLength(), 3)
})

test('the list of phones shows the same battery, signal, pace and queue as the single phone', () => {
  const { world, phone, accountId, deviceId, send, listed } = withQueue()
  assert.equal(listed()?.battery, null)
  phone.connect()
  phone.sendFrame({ type: 'telemetry', battery: 41, charging: true, signal: -87, sims: null, busy: null })
  send()
  const { battery, charging, signal, queueLength, segmentsPerMinute } = listed() ?? {}
  assert.deepEqual(
    { battery, charging, signal, queueLength, segmentsPerMinute },
    { battery: 41, charging: true, signal: -87, queueLength: 1, segmentsPerMinute: 20 },
  )
  const detail: object = world.ask('device.find', { accountId, deviceId })
  assert.deepEqual({ ...detail, ...listed() }, detail)
})
