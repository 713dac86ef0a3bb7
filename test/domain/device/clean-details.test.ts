import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELLO } from '#test/kit/hello.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

const EVIL = '\u001b]0;owned\u0007\u202e \ud800x'
const CLEAN = ']0;owned x'

test('what a phone says of itself is stored without control and format characters', () => {
  const { world, accountId, phones } = openWorld(1)
  const [phone] = phones as [TestPhone]
  const find = (deviceId: string) => world.ask('device.find', { accountId, deviceId })
  const sims = [{ slot: 1, carrier: EVIL, countryCode: 'DE', phoneNumber: EVIL }]
  const clean = [{ slot: 1, carrier: CLEAN, countryCode: 'DE', phoneNumber: CLEAN }]
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  const about = { name: EVIL, platform: EVIL, appVersion: EVIL }
  const { deviceId } = world.ask('device.pair', { code, ...about })
  const { name, platform, appVersion } = find(deviceId)
  assert.deepEqual([name, platform, appVersion], [CLEAN, CLEAN, CLEAN])
  const added = { name: 'hall', appVersion: EVIL, sims, protocol: 'smsgate' } as const
  assert.deepEqual(find(world.ask('device.add', { accountId, ...added }).deviceId).sims, clean)
  phone.hello()
  phone.connect()
  phone.sendFrame({
    type: 'telemetry',
    battery: null,
    charging: null,
    signal: null,
    sims,
    busy: null,
    trouble: EVIL,
  })
  const told = find(phone.deviceId)
  assert.deepEqual([told.sims, told.trouble], [clean, CLEAN])
  phone.sendFrame({ ...HELLO, platform: EVIL, appVersion: EVIL }, { listener: 1, socket: 9_999_999 })
  assert.deepEqual([find(phone.deviceId).platform, find(phone.deviceId).appVersion], [CLEAN, CLEAN])
})

test('a received text keeps its words and loses control characters, its sender format characters too', () => {
  const { world, phones } = openWorld(1)
  const [phone] = phones as [TestPhone]
  phone.connect()
  const message = 'two\nlines \u001b[2J\u0000👩\u200d🔧'
  phone.sendFrame({ type: 'received', id: '1', from: EVIL, message, at: null, simSlot: null })
  const row = world.database.prepare('SELECT * FROM received').get()
  assert.deepEqual(
    [CLEAN, 'two\nlines [2J👩\u200d🔧'].map(words => Object.values(row ?? {}).includes(words)),
    [true, true],
  )
})
