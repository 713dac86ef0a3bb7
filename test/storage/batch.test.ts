import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELLO } from '#test/kit/hello.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'

test('a message goes from queued to sending, sent and delivered, with one go', () => {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const { code } = world.ask('device.create-pairing', { accountId: owner.accountId, name: null })
  const { deviceId } = world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  assert.throws(() => world.ask('message.accept', messageToAccept(owner.accountId)), {
    code: 'NO_DEVICE_AVAILABLE',
  })

  world.sendFromPhone(deviceId, 7, HELLO)
  world.sendFromPhone(deviceId, 7, { type: 'sync', messages: [], more: false })
  const { messageId, status } = acceptedIn(world.ask('message.accept', messageToAccept(owner.accountId)))
  assert.equal(status, 'queued')
  const frames = world.framesTo(7).map(effect => (effect.kind === 'frame' ? effect.frame.type : effect.kind))
  assert.deepEqual(frames, ['welcome', 'synced', 'offer'])

  world.sendFromPhone(deviceId, 7, { type: 'begin', messageId, attempt: 1 })
  world.sendFromPhone(deviceId, 7, { type: 'begin', messageId, attempt: 1 })
  for (const state of ['sent', 'sent', 'delivered', 'sent'] as const)
    world.sendFromPhone(deviceId, 7, {
      type: 'report',
      messageId,
      attempt: 1,
      state,
      code: null,
      detail: null,
      at: null,
    })
  const answers = world.framesTo(7).map(effect => (effect.kind === 'frame' ? effect.frame.type : effect.kind))
  assert.deepEqual(answers, ['go', 'no', 'ack', 'ack', 'ack', 'ack'])
  const row = world.database.prepare('SELECT status, timeline FROM message WHERE id = ?').get(messageId)
  assert.equal(row?.['status'], 'delivered')
  assert.deepEqual(
    (JSON.parse(String(row?.['timeline'])) as [string, number][]).map(([status]) => status),
    ['queued', 'sending', 'sent', 'delivered'],
  )
})

test('a sandbox message reaches its final status without a phone', () => {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const sandbox = messageToAccept(owner.accountId, { test: true })
  const { messageId } = acceptedIn(world.ask('message.accept', sandbox))
  world.advance(2000)
  const row = world.database.prepare('SELECT status FROM message WHERE id = ?').get(messageId)
  assert.equal(row?.['status'], 'delivered')
})
