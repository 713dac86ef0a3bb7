/** Groups of phones: they share the work, and any phone helps when none of them could for long enough. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

const MINUTE = 60_000

function withGroup(fields: { readonly fallback?: 'any' | 'none' } = {}) {
  const gateway = openWorld(3)
  const [a, b, other] = gateway.phones
  assert.ok(a && b && other)
  const group = gateway.world.ask('device-group.create', {
    accountId: gateway.accountId,
    fields: {
      name: 'Office',
      devices: [a.deviceId, b.deviceId],
      fallback: 'any',
      fallbackAfterMinutes: 5,
      ...fields,
    },
  })
  const send = (queueIfOffline = false) => gateway.send({ deviceId: group.id, queueIfOffline })
  const isDown = () =>
    gateway.world.ask('device-group.find', { accountId: gateway.accountId, groupId: group.id }).downSince !==
    null
  return { ...gateway, a, b, other, group, sendToGroup: send, isDown }
}

test('the phones of a group share its texts, and no other phone gets one', () => {
  const { a, b, other, group, sendToGroup, stored } = withGroup()
  for (const phone of [other, a, b]) phone.connect()
  const ids = [sendToGroup(), sendToGroup()]
  assert.deepEqual([a.received(), b.received(), other.received()], [['offer/1'], ['offer/1'], []])
  assert.deepEqual(
    ids.map(id => stored(id).deviceGroupId),
    [group.id, group.id],
  )
})

test('a text of a phone that dies goes to the other phone of the group', () => {
  const { world, a, b, other, sendToGroup } = withGroup()
  a.connect()
  sendToGroup()
  for (const phone of [b, other]) phone.connect()
  a.close()
  assert.deepEqual([b.received(), other.received()], [['offer/1'], []])
  b.close()
  world.advance(OFFLINE_AFTER_MS + 5 * MINUTE - 1)
  assert.deepEqual(other.received(), [])
  world.advance(1)
  assert.deepEqual(other.received(), ['offer/1'])
})

test('when none can send, 503 says so until any other phone may', () => {
  const { world, other, sendToGroup, isDown } = withGroup()
  other.connect()
  assert.equal(isDown(), true)
  assert.throws(() => sendToGroup(), { code: 'NO_DEVICE_AVAILABLE', message: /group Office/ })
  sendToGroup(true)
  assert.deepEqual(other.received(), [])
  world.advance(5 * MINUTE)
  assert.deepEqual(other.received(), ['offer/1'])
  sendToGroup()
})

test('with the fallback none, a text waits for the group', () => {
  const { world, a, other, sendToGroup, isDown } = withGroup({ fallback: 'none' })
  other.connect()
  sendToGroup(true)
  world.advance(60 * MINUTE)
  assert.deepEqual(other.received(), [])
  assert.equal(a.connect().at(-1), 'offer/1')
  world.advance(0)
  assert.equal(isDown(), false)
})

test('the time until others help survives a restart, and ends when a phone returns', () => {
  const { world, a, other, sendToGroup } = withGroup()
  sendToGroup(true)
  world.advance(3 * MINUTE)
  world.restart()
  world.advance(0)
  other.connect()
  world.advance(2 * MINUTE - 1)
  assert.deepEqual(other.received(), [])
  world.advance(1)
  assert.deepEqual(other.received(), ['offer/1'])
  a.connect()
  world.advance(0)
  a.received()
  sendToGroup()
  assert.deepEqual([a.received(), other.received()], [['offer/1'], []])
})

test('a group whose phones are paused or removed is down, and a removed phone leaves it', () => {
  const { world, accountId, a, b, other, group, isDown } = withGroup()
  for (const phone of [a, b, other]) phone.connect()
  world.advance(0)
  assert.equal(isDown(), false)
  const pause = { accountId, deviceId: a.deviceId, change: { paused: true } }
  world.ask('device.update', pause)
  world.ask('device.remove', { accountId, deviceId: b.deviceId })
  world.advance(0)
  assert.equal(isDown(), true)
  const { devices } = world.ask('device-group.find', { accountId, groupId: group.id })
  assert.deepEqual(devices, [a.deviceId])
  world.ask('device.update', { ...pause, change: { paused: false } })
  world.advance(0)
  assert.equal(isDown(), false)
})
