import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CODE_VALIDITY_LEFT_MS_MIN } from '#contracts/bounds.ts'
import { endOf, openWorld, type TestPhone } from '#test/kit/test-phone.ts'

function only(phones: readonly TestPhone[]): TestPhone {
  const [phone] = phones
  assert.ok(phone)
  return phone
}

test('a waiting message is cancelled and never offered', () => {
  const { send, cancel, stored, phones } = openWorld()
  const id = send()
  assert.equal(cancel(id).failure?.code, 'CANCELLED')
  assert.deepEqual(only(phones).connect(), ['welcome', 'synced'])
  assert.deepEqual(
    stored(id).timeline.map(({ status }) => status),
    ['queued', 'failed'],
  )
})

test('an offered message is cancelled, the phone is told, and its begin is answered no', () => {
  const { send, cancel, stored, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const id = send()
  cancel(id)
  phone.begin(id)
  assert.deepEqual(phone.received(), ['offer/1', 'cancel', 'no/1'])
  assert.equal(endOf(stored(id)), 'CANCELLED')
})

test('a cancelled offer gives its slot and its pace to the next message', () => {
  const { send, cancel, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const ids = Array.from({ length: 4 }, () => send({ segments: 3 }))
  assert.deepEqual(phone.offered(), ids.slice(0, 3))
  cancel(ids[0] ?? '')
  assert.deepEqual(phone.offered(), ids.slice(3))
})

test('an expired offer gives its slot to the next message', () => {
  const { world, send, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const ids = [1, 2, 3].map(() => send({ ttlMs: 10_000 }))
  const next = send()
  assert.deepEqual(phone.offered(), ids)
  world.advance(10_000)
  assert.deepEqual(phone.offered(), [next])
})

test('a message that a phone was told to send, or that is final, cannot be cancelled', () => {
  const { send, cancel, stored, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const id = send()
  phone.begin(id)
  assert.throws(() => cancel(id), { code: 'CONFLICT' })
  phone.report(id, 'sent')
  assert.throws(() => cancel(id), { code: 'CONFLICT' })
  assert.equal(endOf(stored(id)), 'sent')
  assert.throws(() => cancel('msg_00000000000000000000000000'), { code: 'NOT_FOUND' })
})

test('a message is visible only to its account and mode', () => {
  const { world, accountId, send } = openWorld()
  const messageId = send()
  for (const which of [
    { accountId: 'acc_other', test: false },
    { accountId, test: true },
  ])
    assert.throws(() => world.ask('message.cancel', { ...which, messageId }), { code: 'NOT_FOUND' })
})

test('a message expires when its time to live is over, not a moment before', () => {
  const { world, send, stored } = openWorld()
  const id = send({ ttlMs: 60_000 })
  world.advance(59_999)
  assert.equal(endOf(stored(id)), 'queued')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('a wall clock that jumps neither expires a message nor keeps it longer', () => {
  for (const jumpMs of [-86_400_000, 86_400_000]) {
    const { world, send, stored } = openWorld()
    const id = send({ ttlMs: 60_000 })
    world.wallMs += jumpMs
    world.advance(59_999)
    assert.equal(endOf(stored(id)), 'queued')
    world.advance(1)
    assert.equal(endOf(stored(id)), 'EXPIRED')
  }
})

test('a wall clock that jumped does not make a temporary failure final', () => {
  const { world, send, stored, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const id = send()
  phone.begin(id)
  world.wallMs += 86_400_000
  phone.report(id, 'failed', { code: 'RADIO_OFF' })
  assert.equal(endOf(stored(id)), 'queued')
})

test('a code that is about to expire is not given to a phone', () => {
  const { world, send, stored, phones } = openWorld()
  const phone = only(phones)
  const [late, inTime] = [60_000, 60_001].map(ttlMs => send({ kind: '2fa', ttlMs }))
  world.advance(60_000 - CODE_VALIDITY_LEFT_MS_MIN)
  phone.hello()
  phone.sync()
  assert.deepEqual(phone.offered(), [inTime])
  assert.equal(endOf(stored(late ?? '')), 'EXPIRED')
  world.advance(1)
  phone.begin(inTime ?? '')
  assert.equal(phone.received().includes('no/1'), true)
  assert.equal(endOf(stored(inTime ?? '')), 'EXPIRED')
})

test('a message being sent does not expire, but one that is proved unsent after its time does', () => {
  const { world, send, stored, phones } = openWorld()
  const phone = only(phones)
  phone.connect()
  const [sent, unsent] = [send({ ttlMs: 60_000 }), send({ ttlMs: 60_000 })]
  for (const id of [sent, unsent]) phone.begin(id)
  world.advance(61_000)
  assert.equal(endOf(stored(unsent)), 'sending')
  phone.connect({
    journal: [
      { messageId: sent, attempt: 1, state: 'sent', code: null },
      { messageId: unsent, attempt: 1, state: 'accepted', code: null },
    ],
  })
  assert.equal(endOf(stored(sent)), 'sent')
  assert.equal(endOf(stored(unsent)), 'EXPIRED')
})
