/** Caps of a SIM: a phone at its cap gets no more, others do, and a cap is never passed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/kit/test-phone.ts'

const DAY = 86_400_000
/** The clock of the world begins at noon. */
const MIDNIGHT = DAY / 2

function withCap(change: object, phones = 2) {
  const gateway = openWorld(phones)
  const [a, b] = gateway.phones
  assert.ok(a !== undefined)
  const { world, accountId } = gateway
  const cap = (fields: object) =>
    world.ask('device.update', { accountId, deviceId: a.deviceId, change: fields })
  cap(change)
  const state = () => world.ask('device.find', { accountId, deviceId: a.deviceId })
  const finish = (id: string, phone = a) => {
    phone.begin(id)
    phone.report(id, 'sent')
  }
  return { ...gateway, a, b: b ?? a, cap, state, finish }
}

const REFUSED = { code: 'NO_DEVICE_AVAILABLE', message: /cap/ }

test('a phone at its cap gets no more, and another one does', () => {
  const { a, b, send, finish, state } = withCap({ smsPerMonthMax: 2 })
  a.connect()
  finish(send())
  finish(send())
  assert.deepEqual([state().smsThisMonth, state().segmentsToday, state().smsToday], [2, 2, 2])
  a.received()
  assert.throws(() => send({ queueIfOffline: false }), REFUSED)
  send()
  assert.deepEqual(a.received(), [])
  assert.equal(b.connect().at(-1), 'offer/1')
})

test('a text too long for what is left goes elsewhere, and a shorter one behind it leaves', () => {
  const { a, b, send, finish } = withCap({ smsPerDayMax: 2 })
  a.connect()
  finish(send())
  a.received()
  assert.throws(() => send({ segments: 2, queueIfOffline: false }), REFUSED)
  send({ segments: 2 })
  assert.deepEqual(a.received(), [])
  send()
  assert.deepEqual(a.received(), ['offer/1'])
  assert.equal(b.connect().at(-1), 'offer/1')
})

test('offers count before they begin, so that many at once pass no cap', () => {
  const { a, send, state } = withCap({ smsPerDayMax: 3 }, 1)
  a.connect()
  const ids = Array.from({ length: 8 }, () => send())
  assert.equal(a.received().filter(one => one === 'offer/1').length, 3)
  for (const id of ids) a.begin(id)
  assert.equal(a.received().filter(one => one === 'go/1').length, 3)
  assert.equal(state().segmentsToday, 3)
})

test('what proves that nothing was sent is taken back, and what is doubtful is not', () => {
  const { a, world, send, state } = withCap({ smsPerDayMax: 3 }, 1)
  a.connect()
  const [failed, refused, uncertain] = [send(), send(), send()]
  for (const id of [failed, refused, uncertain]) a.begin(id)
  assert.equal(state().segmentsToday, 3)
  a.report(failed, 'failed', { code: 'NO_SERVICE' })
  a.report(failed, 'failed', { code: 'NO_SERVICE' })
  assert.equal(state().segmentsToday, 2)
  a.report(refused, 'failed', { code: 'RADIO_FAILURE' })
  a.report(uncertain, 'uncertain')
  assert.equal(state().segmentsToday, 2)
  a.close()
  a.connect()
  const accepted = send()
  a.begin(accepted)
  assert.equal(state().segmentsToday, 3)
  a.close()
  a.connect({
    journal: [{ messageId: accepted, attempt: 1, state: 'accepted', code: null }],
  })
  assert.equal(state().segmentsToday, 2)
  world.restart()
  assert.equal(state().segmentsToday, 2)
})

test('at midnight UTC a day begins anew, and on its day a month', () => {
  const { a, world, send, finish, state } = withCap(
    { smsPerDayMax: 1, smsPerMonthMax: 2, monthStartsOn: 17 },
    1,
  )
  a.connect()
  finish(send())
  const second = send({ ttlMs: DAY })
  a.received()
  world.advance(MIDNIGHT - 1)
  assert.deepEqual(a.received(), [])
  world.advance(1)
  assert.deepEqual(a.received(), ['offer/1'])
  finish(second)
  assert.deepEqual([state().segmentsToday, state().smsThisMonth], [1, 2])
  send({ ttlMs: 3 * DAY })
  a.received()
  world.advance(DAY - 1)
  assert.deepEqual([a.received(), state().smsThisMonth], [[], 2])
  world.advance(1)
  assert.deepEqual([a.received(), state().smsThisMonth], [['offer/1'], 0])
})

test('a cap that is lowered takes back what was only offered, and without one all goes on', () => {
  const { a, send, cap, state } = withCap({ smsPerDayMax: 3 }, 1)
  a.connect()
  const [first, second] = [send(), send()]
  a.begin(first)
  a.received()
  cap({ smsPerDayMax: 1 })
  assert.deepEqual(a.received(), ['no/1'])
  a.begin(second)
  assert.deepEqual(a.received(), ['no/1'])
  cap({ smsPerDayMax: null })
  assert.deepEqual(a.received(), ['offer/1'])
  assert.deepEqual([state().smsPerDayMax, state().monthStartsOn], [null, 1])
})

test('what a phone sent before it had a cap counts', () => {
  const { a, send, finish, cap } = withCap({}, 1)
  a.connect()
  finish(send())
  finish(send())
  cap({ smsPerMonthMax: 2 })
  assert.throws(() => send({ queueIfOffline: false }), REFUSED)
})

test('a cap that is set while texts are being sent counts them once', () => {
  const { a, send, cap, state, finish } = withCap({}, 1)
  a.connect()
  const ids = [send(), send(), send()]
  a.begin(ids[0] ?? '')
  a.begin(ids[1] ?? '')
  assert.equal(state().segmentsToday, 0)
  cap({ smsPerDayMax: 5 })
  assert.equal(state().segmentsToday, 2)
  a.report(ids[0] ?? '', 'sent')
  a.report(ids[1] ?? '', 'failed', { code: 'NO_SERVICE' })
  finish(ids[2] ?? '')
  assert.equal(state().segmentsToday, 2)
  const last = send()
  a.begin(last)
  assert.equal(state().segmentsToday, 3)
  cap({ smsPerDayMax: null })
  assert.equal(state().segmentsToday, 2)
  a.report(last, 'sent')
  assert.equal(state().segmentsToday, 3)
})

test('the problem names the phone', () => {
  const { a, world, accountId, send, finish } = withCap({ smsPerMonthMax: 5 }, 1)
  a.connect()
  const problems = () =>
    world.ask('health.list', { accountId }).filter(({ code }) => code === 'QUOTA_NEARLY_USED')
  for (let i = 0; i < 3; i++) finish(send())
  assert.deepEqual(problems(), [])
  finish(send())
  assert.deepEqual(
    problems().map(({ subject, message }) => [subject, message.replace(/^.* has/, 'has')]),
    [[a.deviceId, 'has used 4 of 5 SMS of this month']],
  )
})
