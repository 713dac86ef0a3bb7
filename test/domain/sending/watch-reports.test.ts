import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

const SILENT = 'it does not report whether texts are sent'

/** Phones that are connected. `status` is what the list of devices says about the first one. */
function connected(count: number) {
  const gateway = openWorld(count)
  const phones = gateway.phones as [TestPhone, TestPhone]
  for (const phone of phones) phone?.connect()
  const [{ deviceId }] = phones
  const listed = () => gateway.world.ask('device.find', { accountId: gateway.accountId, deviceId })
  const codes = () =>
    gateway.world
      .ask('health.list', { accountId: gateway.accountId })
      .map(({ code, message }) => [code, message])
  return { ...gateway, phones, listed, codes }
}

test('three texts that a phone took and never reports as sent free their slots after a minute', () => {
  const { world, phones, send, stored, listed, codes } = connected(1)
  const [phone] = phones
  const texts = Array.from({ length: 5 }, () => send())
  for (const id of phone.offered()) {
    phone.begin(id)
    phone.report(id, 'submitted')
  }
  assert.deepEqual([listed().status, phone.offered()], ['busy', []])
  world.advance(59_999)
  assert.deepEqual(phone.offered(), [])
  world.advance(1)
  assert.deepEqual(phone.offered(), texts.slice(3))
  assert.deepEqual(
    texts.map(id => stored(id).status),
    ['sending', 'sending', 'sending', 'queued', 'queued'],
  )
  const [code, message] = codes()[0] ?? []
  assert.equal(code, 'MESSAGES_FAILING')
  assert.match(message ?? '', /^Phone does not report whether texts are sent: it took 3 of them/)
  for (const id of texts.slice(0, 3)) phone.report(id, 'sent')
  assert.deepEqual(codes(), [])
})

test('a repeated report that a text is submitted does not hold its slot, and no text is sent again', () => {
  const { world, phones, send, stored } = connected(1)
  const [phone] = phones
  const texts = Array.from({ length: 4 }, () => send())
  const first = phone.offered()
  for (const id of first) phone.begin(id)
  for (let seconds = 0; seconds < 60; seconds += 20) {
    for (const id of first) phone.report(id, 'submitted')
    world.advance(20_000)
  }
  assert.deepEqual(phone.offered(), texts.slice(3))
  phone.connect({
    journal: first.map(messageId => ({ messageId, attempt: 1, state: 'submitted', code: null })),
  })
  world.advance(900_000)
  assert.deepEqual(
    first.map(id => stored(id).failure?.code),
    ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
  )
  assert.equal(stored(first[0] ?? '').attempt, 1)
})

test('the pace still limits a phone whose texts freed their slots', () => {
  const { world, phones, send, update } = connected(1)
  const [phone] = phones
  update(phone, { segmentsPerMinute: 1 })
  for (let i = 0; i < 5; i++) send({ segments: 4 })
  const offered = phone.offered()
  for (const id of offered) {
    phone.begin(id)
    phone.report(id, 'submitted')
  }
  assert.equal(offered.length, 2)
  world.advance(60_000)
  assert.deepEqual(phone.offered(), [])
  world.advance(60_000)
  assert.equal(phone.offered().length, 1)
})

test('a phone that reports nothing for a minute after a go gets no further one until it reports', () => {
  const { world, phones, send, listed, codes } = connected(2)
  const [silent, other] = phones
  const { deviceId } = silent
  const begun = send({ deviceId })
  silent.begin(begun)
  const waiting = send({ deviceId })
  other.report('msg_00000000000000000000000000', 'sent')
  world.advance(59_999)
  assert.equal(listed().trouble, null)
  world.advance(1)
  assert.equal(listed().trouble, SILENT)
  assert.ok(silent.received().includes('no/1'), 'what it has not begun is taken back')
  assert.deepEqual(codes(), [['MESSAGES_FAILING', `Phone cannot send: ${SILENT}`]])
  const free = send()
  assert.deepEqual([silent.offered(), other.offered()], [[], [free]])
  silent.sendFrame({ ...TELEMETRY, trouble: null })
  assert.equal(listed().trouble, SILENT, 'a frame without a report changes nothing')
  world.advance(600_000)
  assert.deepEqual(silent.offered(), [])
  silent.report(begun, 'sent')
  assert.deepEqual([listed().trouble, silent.offered()], [null, [waiting]])
})

test('a phone that reports nothing until its text has ended must connect again, and gets others', () => {
  const { world, phones, send, stored, listed } = connected(1)
  const [phone] = phones
  const lost = send()
  phone.begin(lost)
  const waiting = send()
  world.advance(899_999)
  assert.deepEqual([stored(lost).status, listed().status], ['sending', 'online'])
  world.advance(1)
  assert.deepEqual([stored(lost).failure?.code, listed().status], ['OUTCOME_UNKNOWN', 'offline'])
  phone.hello()
  phone.sync()
  assert.equal(listed().trouble, null)
  assert.ok(phone.offered().includes(waiting))
})

test('a phone that connects again and reports its journal may send again', () => {
  const { world, phones, send, listed } = connected(1)
  const [phone] = phones
  const id = send()
  phone.begin(id)
  world.advance(60_000)
  assert.equal(listed().trouble, SILENT)
  phone.connect({ journal: [{ messageId: id, attempt: 1, state: 'submitting', code: null }] })
  assert.equal(listed().trouble, null)
  world.advance(60_000)
  assert.equal(listed().trouble, null, 'it reported after the go')
})

test('a phone that connects again and again without a report gets no further text', () => {
  const { world, phones, send, listed } = connected(1)
  const [phone] = phones
  phone.begin(send())
  for (let times = 0; times < 4; times += 1) {
    world.advance(15_000)
    phone.connect()
  }
  assert.equal(listed().trouble, SILENT)
  send()
  phone.connect()
  assert.deepEqual(phone.offered(), [])
})

test('a phone that has lost a text gets others once that text has ended', () => {
  const { world, phones, send, stored, listed } = connected(1)
  const [phone] = phones
  const id = send()
  phone.begin(id)
  phone.connect()
  const stay = (minutes: number) => {
    for (let at = 0; at < minutes * 3; at++) {
      world.advance(20_000)
      phone.sendFrame({ ...TELEMETRY, trouble: null })
    }
  }
  stay(2)
  const waiting = send()
  assert.deepEqual([stored(id).status, listed().trouble, phone.offered()], ['sending', SILENT, []])
  stay(15)
  assert.deepEqual([stored(id).failure?.code, listed().trouble], ['OUTCOME_UNKNOWN', null])
  assert.ok(phone.offered().includes(waiting))
})

const TELEMETRY = {
  type: 'telemetry',
  battery: null,
  charging: null,
  signal: null,
  sims: null,
  busy: null,
} as const
