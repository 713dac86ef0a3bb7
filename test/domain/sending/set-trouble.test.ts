import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedFailure } from '#domain/message/phone-failure.ts'
import { endOf, openWorld, type TestPhone } from '#test/kit/test-phone.ts'

const TROUBLE = 'Android does not let Termux:API send SMS'

function say(phone: TestPhone, trouble: string | null): void {
  phone.sendFrame({
    type: 'telemetry',
    battery: null,
    charging: null,
    signal: null,
    sims: null,
    busy: null,
    trouble,
  })
}

test('a phone that cannot send says why, does not count as paused, and its messages move', () => {
  const { world, accountId, phones, send } = openWorld(2)
  const [sick, healthy] = phones as [TestPhone, TestPhone]
  sick.connect()
  say(sick, TROUBLE)
  sick.received()
  const id = send()
  assert.deepEqual(sick.offered(), [])
  const listed = world.ask('device.list', { accountId }).find(({ deviceId }) => deviceId === sick.deviceId)
  assert.deepEqual([listed?.paused, listed?.trouble], [false, TROUBLE])
  healthy.hello()
  healthy.sync()
  assert.deepEqual(healthy.offered(), [id])
})

test('a phone that cannot send gives back what it was offered and has not begun', () => {
  const { phones, send } = openWorld(2)
  const [sick, healthy] = phones as [TestPhone, TestPhone]
  sick.connect()
  const [begun, offered] = [send(), send()]
  sick.begin(begun)
  healthy.connect()
  sick.received()
  say(sick, TROUBLE)
  const told = sick.received().filter(words => words.startsWith('no'))
  assert.deepEqual([told, healthy.offered()], [['no/1'], [offered]])
  sick.begin(offered)
  assert.deepEqual(sick.received(), ['no/1'])
})

test('a phone that can send again is offered waiting messages', () => {
  const { phones, send } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  say(phone, TROUBLE)
  const id = send()
  assert.deepEqual(phone.offered(), [])
  say(phone, null)
  assert.deepEqual(phone.offered(), [id])
})

for (const code of [
  'TERMUX_API_MISSING',
  'PERMISSION_DENIED',
  'EXEC_EXIT_126',
  'EXEC_EXIT_127',
  'EXEC_NOT_STARTED',
])
  test(`a text that failed with ${code} was not transmitted, and is sent by another phone`, () => {
    const { world, phones, send, stored } = openWorld(2)
    const [sick, healthy] = phones as [TestPhone, TestPhone]
    sick.connect()
    const id = send()
    sick.begin(id)
    healthy.connect()
    sick.report(id, 'failed', { code })
    world.advance(2_000)
    assert.deepEqual(healthy.offered(), [id])
    healthy.begin(id, 2)
    healthy.report(id, 'sent', { attempt: 2 })
    assert.equal(endOf(stored(id)), 'sent')
  })

test("the failure contains the phone's own sentence", () => {
  const detail = 'SIM card\n locked'
  assert.equal(namedFailure('SIM_LOCKED', detail).message, 'the phone could not send it: SIM card locked')
  assert.equal(namedFailure('SIM_LOCKED', null).message, 'the phone could not send it: SIM_LOCKED')
  assert.equal(namedFailure('NO_SERVICE', detail).message, 'the phone has no service: SIM card locked')
  assert.equal(namedFailure(null, detail).message, 'SIM card locked')
})

test("the failure takes the sentence from the phone's report", () => {
  const { phones, send, stored } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  const messageId = send()
  phone.begin(messageId)
  const report = {
    type: 'report',
    messageId,
    attempt: 1,
    state: 'failed',
    code: 'NULL_PDU',
    at: null,
  } as const
  phone.sendFrame({ ...report, detail: 'empty text' })
  assert.equal(stored(messageId).failure?.message, 'the phone could not send it: empty text')
})
