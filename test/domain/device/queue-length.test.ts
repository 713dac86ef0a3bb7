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
  return { ...gateway, phone, deviceId, queueLength }
}

test('the queue of a phone is all that waits to be sent, offered or not', () => {
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

test('what waits for any phone waits for one that is paused or away', () => {
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
