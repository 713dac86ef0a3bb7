import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

function withPhone() {
  const gateway = openWorld(1)
  const { world, accountId } = gateway
  const [phone] = gateway.phones as [TestPhone]
  const { deviceId } = phone
  const listed = () => world.ask('device.find', { accountId, deviceId })
  /** The device events and the lines of the log since the last call. */
  const logged = () =>
    world.effects
      .splice(0)
      .flatMap(effect => (effect.kind === 'log' ? [`${effect.level} ${effect.event}`] : []))
  const problems = () => world.ask('health.list', { accountId })
  return { ...gateway, phone, deviceId, listed, logged, problems }
}

test('a phone that says hello and never reports its journal is not online, and is closed after 30 s', () => {
  const { world, phone, deviceId, listed, logged, message, problems } = withPhone()
  world.advance(OFFLINE_AFTER_MS)
  logged()
  phone.hello()
  assert.equal(listed().status, 'offline')
  world.advance(29_999)
  world.ask('phone.heard', { deviceIds: [deviceId] })
  assert.deepEqual(phone.received(), ['welcome'])
  assert.throws(() => world.ask('message.accept', message({ queueIfOffline: false })), {
    code: 'NO_DEVICE_AVAILABLE',
  })
  world.advance(1)
  assert.deepEqual(phone.received(), ['close'])
  assert.deepEqual(logged(), ['warn device.refused'])
  const why = 'the gateway refuses its connections: no complete sync within 30 s of hello'
  assert.equal(listed().trouble, why)
  const [problem] = problems()
  assert.deepEqual(
    [problem?.code, problem?.message],
    ['NO_DEVICE_ONLINE', `No phone can send: Phone: ${why}`],
  )
  phone.connect()
  assert.deepEqual([listed().status, listed().trouble], ['online', null])
})

test('a phone that only says hello again and again goes offline like a silent one', () => {
  const { world, phone, deviceId, listed, logged } = withPhone()
  phone.connect()
  logged()
  for (let ms = 0; ms < OFFLINE_AFTER_MS; ms += 500) {
    phone.hello()
    world.ask('phone.heard', { deviceIds: [deviceId] })
    world.advance(250)
    phone.close()
    world.advance(250)
  }
  assert.equal(listed().status, 'offline')
  const announced = world.database.prepare('SELECT announced_online AS it FROM device').get()
  assert.equal(announced?.['it'], 0)
})

test('a connection that the gateway closed is logged once an hour, and is the trouble of its phone', () => {
  const { world, phone, deviceId, listed, logged } = withPhone()
  const refusal = { why: 'too-big', reason: 'a frame has at most 16384 bytes' } as const
  const beRefused = () => {
    phone.hello()
    const { connection } = phone
    world.ask('phone.closed', { deviceId, connection, silentMs: 0, refusal })
  }
  logged()
  for (let i = 0; i < 3; i++) beRefused()
  assert.deepEqual(logged(), ['warn device.refused'])
  assert.equal(listed().trouble, 'the gateway refuses its connections: a frame has at most 16384 bytes')
  world.advance(3_600_000)
  beRefused()
  assert.deepEqual(logged(), ['warn device.refused'])
  phone.connect()
  assert.equal(listed().trouble, null)
  world.ask('phone.closed', { deviceId, connection: { listener: 1, socket: 1 }, silentMs: 0, refusal })
  assert.equal(listed().trouble, null, 'another connection works')
})

test('a journal in several parts counts when its last part has arrived', () => {
  const { phone, listed } = withPhone()
  phone.hello()
  phone.sync([], true)
  assert.equal(listed().status, 'offline')
  phone.sync()
  assert.equal(listed().status, 'online')
})

test('reports about texts that are not in the database are logged once an hour and counted', () => {
  const { world, phone, logged, send } = withPhone()
  phone.connect()
  const known = send()
  phone.begin(known)
  phone.report(known, 'sent')
  logged()
  const state = () => world.ask('gateway.state', {}).unknownReports
  assert.equal(state(), 0)
  for (const one of ['1', '2', '2']) phone.report(`msg_0000000000000000000000000${one}`, 'sent')
  phone.report('not-a-text-of-roost', 'sent')
  assert.equal(state(), 2)
  assert.deepEqual(logged(), ['warn report.unknown_message'])
})
