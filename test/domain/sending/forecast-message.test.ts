import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

/** Phones at one segment a minute, so that each text waits a minute for the one before it. */
function slow(count: number) {
  const gateway = openWorld(count)
  const phones = gateway.phones as [TestPhone, TestPhone]
  const forecast = (messageId: string) => {
    const { world, accountId } = gateway
    const found = world.ask('message.forecast', { accountId, test: false, messageId })
    const leavesInS = found.leavesAt === null ? null : (Date.parse(found.leavesAt) - world.wallMs) / 1000
    return [found.waitsFor, found.before, leavesInS]
  }
  return { ...gateway, phones, forecast }
}

test('a waiting text knows its place and when it leaves', () => {
  const { phones, send, update, forecast, cancel } = slow(1)
  const [phone] = phones
  phone.connect()
  update(phone, { segmentsPerMinute: 1 })
  const burst = Array.from({ length: 40 }, () => send())
  const gone = new Set<string>()
  // Send until the pace allows no more.
  for (let offered = phone.offered(); offered.length > 0; offered = phone.offered())
    for (const id of offered) {
      phone.begin(id)
      assert.deepEqual(forecast(id), ['phone', 0, 0])
      phone.report(id, 'sent')
      gone.add(id)
    }
  const left = burst.filter(id => !gone.has(id))
  const [first = '', second = '', third = ''] = left
  const [, before, leavesInS] = forecast(second)
  assert.equal(before, 1)
  assert.ok(typeof leavesInS === 'number' && leavesInS > 0)
  assert.deepEqual(forecast(third), ['turn', 2, leavesInS + 60])
  cancel(first)
  assert.deepEqual(forecast(third), ['turn', 1, leavesInS])
  assert.deepEqual(forecast(first), ['nothing', 0, null])
  const urgent = send({ priority: 'high' })
  assert.deepEqual(forecast(urgent).slice(0, 2), ['turn', 0])
  assert.deepEqual(forecast(third).slice(0, 2), ['turn', 2])
})

test('a text says what else it waits for', () => {
  const { world, phones, send, forecast } = slow(1)
  const [phone] = phones
  const early = send()
  assert.deepEqual(forecast(early), ['any-phone', 0, null])
  assert.deepEqual(forecast(send()), ['any-phone', 1, null])
  const later = send({ sendAt: world.wallMs + 3_600_000 })
  assert.deepEqual(forecast(later), ['time', 0, 3600])
  phone.connect()
  phone.begin(early)
  phone.report(early, 'failed', { code: 'NO_SERVICE' })
  const [why, , inS] = forecast(early)
  assert.equal(why, 'retry')
  assert.ok(Number(inS) > 0)
})

test('a text may wait for a SIM of its country while a foreign one is idle', () => {
  const { phones, send, update, forecast } = slow(2)
  const [home, foreign] = phones
  home.connect({ country: 'US' })
  foreign.connect({ country: 'DE' })
  update(home, { segmentsPerMinute: 1 })
  const texts = Array.from({ length: 40 }, () => send({ country: 'US' }))
  assert.equal(forecast(texts.at(-1) ?? '')[0], 'home-sim')
})

test('a forecast of a text that the account has not is refused', () => {
  const { world, accountId, send } = slow(1)
  const messageId = send()
  for (const which of [
    { accountId, test: true, messageId },
    { accountId: 'acc_other', test: false, messageId },
    { accountId, test: false, messageId: 'msg_none' },
  ])
    assert.throws(() => world.ask('message.forecast', which), { code: 'NOT_FOUND' })
})
