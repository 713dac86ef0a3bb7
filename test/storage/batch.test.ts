import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptMessage } from '#contracts/commands.ts'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { TestWorld } from '#test/kit/world.ts'

const HELLO: PhoneFrame = {
  type: 'hello',
  protocol: 1,
  bootId: 'boot',
  appVersion: '1',
  platform: 'test',
  sims: [],
}

function message(accountId: string): AcceptMessage {
  return {
    accountId,
    test: false,
    kind: 'sms',
    phoneNumber: '+14155550123',
    country: 'US',
    text: 'hello',
    segments: 1,
    encoding: 'GSM-7',
    deviceId: null,
    ttlMs: null,
    priority: 'normal',
    simSlot: null,
    queueIfOffline: false,
    notificationUrl: null,
    idempotency: null,
  }
}

test('a message goes from queued over sending and sent to delivered, told go once', () => {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const { code } = world.ask('device.create-pairing', { accountId: owner.accountId, name: null })
  const { deviceId } = world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  assert.throws(() => world.ask('message.accept', message(owner.accountId)), { code: 'NO_DEVICE_AVAILABLE' })

  world.phoneSays(deviceId, 7, HELLO)
  world.phoneSays(deviceId, 7, { type: 'sync', messages: [], more: false })
  const { answer } = world.ask('message.accept', message(owner.accountId))
  assert.equal(answer.status, 'queued')
  const frames = world.framesTo(7).map(effect => (effect.kind === 'frame' ? effect.frame.type : effect.kind))
  assert.deepEqual(frames, ['welcome', 'synced', 'offer'])

  const { messageId } = answer
  world.phoneSays(deviceId, 7, { type: 'begin', messageId, attempt: 1 })
  world.phoneSays(deviceId, 7, { type: 'begin', messageId, attempt: 1 })
  for (const state of ['sent', 'sent', 'delivered', 'sent'] as const)
    world.phoneSays(deviceId, 7, {
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

test('a sandbox message lives its whole life without a phone', () => {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const { answer } = world.ask('message.accept', { ...message(owner.accountId), test: true })
  world.advance(2000)
  const row = world.database.prepare('SELECT status FROM message WHERE id = ?').get(answer.messageId)
  assert.equal(row?.['status'], 'delivered')
})
