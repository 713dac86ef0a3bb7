import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { IDEMPOTENCY_KEPT_MS } from '#contracts/bounds.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

const KEY = { scope: 'acc/sms', key: 'k', bodyHash: 'one' }

test('the first start creates one account on the owner plan, and later starts create nothing', () => {
  const { world, accountId } = openWorld()
  assert.equal(world.ask('gateway.first-start', {}), null)
  const accounts = world.ask('account.list', {})
  assert.deepEqual(
    accounts.map(account => [account.accountId, account.plan]),
    [[accountId, 'pro']],
  )
  const keys = world.ask('key.list', { email: null })
  assert.deepEqual(
    keys.map(({ test }) => test),
    [true],
  )
})

test('without a connected phone a message is refused, unless it may wait', () => {
  const { world, phones, send } = openWorld(2)
  const [a, b] = phones
  assert.ok(a && b)
  assert.throws(() => send({ queueIfOffline: false }), { code: 'NO_DEVICE_AVAILABLE' })
  send()
  a.connect()
  send({ queueIfOffline: false })
  assert.throws(() => send({ queueIfOffline: false, deviceId: b.deviceId }), {
    code: 'NO_DEVICE_AVAILABLE',
    message: /^this phone is not connected; /,
  })
  assert.throws(() => send({ deviceId: 'dev_00000000000000000000000000' }), { code: 'NOT_FOUND' })
  a.close()
  world.advance(OFFLINE_AFTER_MS - 1)
  send({ queueIfOffline: false })
  world.advance(1)
  assert.throws(() => send({ queueIfOffline: false }), { code: 'NO_DEVICE_AVAILABLE' })
})

test('a sandbox message may name only a phone of the account, connected or not', () => {
  const { phones, send, stored } = openWorld(1)
  const unknown = 'dev_00000000000000000000000000'
  assert.throws(() => send({ test: true, deviceId: unknown }), { code: 'NOT_FOUND' })
  const deviceId = phones[0]?.deviceId ?? ''
  const id = send({ test: true, deviceId, queueIfOffline: false })
  assert.equal(stored(id).deviceId, null, 'no phone was used')
})

test('the same key and body get the first answer again and count once', () => {
  const { world, accountId, message } = openWorld()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  const ask = (bodyHash = 'one') =>
    world.ask('message.accept', message({ idempotency: { ...KEY, bodyHash } }))
  const first = ask()
  const again = Array.from({ length: 20 }, () => ask())
  assert.deepEqual(again[19], { answer: first.answer, replayed: true })
  assert.throws(() => ask('two'), { code: 'IDEMPOTENCY_MISMATCH' })
  const rows = world.database.prepare('SELECT count(*) AS n FROM message WHERE account_id = ?').get(accountId)
  assert.equal(rows?.['n'], 1)
  const used = world.database.prepare('SELECT accepted AS sms FROM usage_quarter').get()
  assert.equal(used?.['sms'], 1)
})

test('a key is remembered for a day, also over a restart', () => {
  const { world, message } = openWorld()
  const ask = () => acceptedIn(world.ask('message.accept', message({ idempotency: KEY })))
  const { messageId } = ask()
  world.restart()
  world.advance(IDEMPOTENCY_KEPT_MS - 1)
  assert.equal(ask().messageId, messageId)
  world.advance(1)
  assert.notEqual(ask().messageId, messageId)
})

test('a refusal is not kept under its key', () => {
  const { phones, send } = openWorld()
  const idempotency = KEY
  assert.throws(() => send({ queueIfOffline: false, idempotency }), { code: 'NO_DEVICE_AVAILABLE' })
  phones[0]?.connect()
  assert.match(send({ queueIfOffline: false, idempotency }), /^msg_/)
})

test('of fifty simultaneous messages on the free plan ten are accepted, also over a restart', () => {
  const { world, message } = openWorld()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  const calls = Array.from(
    { length: 50 },
    (_, id) => ({ id, name: 'message.accept', input: message() }) as const,
  )
  assert.equal(world.batch.run(calls).answers.filter(({ ok }) => ok).length, 10)
  world.restart()
  assert.equal(world.batch.run(calls).answers.filter(({ ok }) => ok).length, 0)
  world.advance(12 * 3_600_000)
  assert.equal(world.batch.run(calls).answers.filter(({ ok }) => ok).length, 10)
})

test('sandbox texts are as many a day as the table says, until midnight', () => {
  const { world, message } = openWorld()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  const { most } = ACCOUNT_BOUNDS.sandboxTexts
  const accepted = (count: number) => {
    const input = message({ test: true })
    const calls = Array.from({ length: count }, (_, id) => ({ id, name: 'message.accept', input }) as const)
    return world.batch.run(calls).answers.filter(({ ok }) => ok).length
  }
  assert.equal(accepted(most - 1), most - 1)
  const both = { messages: [message({ test: true }), message({ test: true })] }
  assert.throws(() => world.ask('message.accept-all', both), { code: 'RATE_LIMIT_EXCEEDED' })
  assert.equal(accepted(2), 1)
  world.advance(12 * 3_600_000)
  assert.equal(accepted(2), 2)
})

test('a message that is refused because no phone is connected does not count', () => {
  const { world, message, phones } = openWorld()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  const calls = Array.from({ length: 20 }, (_, id) => {
    const input = message({ queueIfOffline: false })
    return { id, name: 'message.accept', input } as const
  })
  assert.equal(world.batch.run(calls).answers.filter(({ ok }) => ok).length, 0)
  phones[0]?.connect()
  assert.equal(world.batch.run(calls).answers.filter(({ ok }) => ok).length, 10)
})

test('the plan of the owner has no limit', () => {
  const { world, message } = openWorld()
  const calls = Array.from(
    { length: 1500 },
    (_, id) => ({ id, name: 'message.accept', input: message() }) as const,
  )
  assert.equal(
    world.batch.run(calls).answers.every(({ ok }) => ok),
    true,
  )
})

test('the last tenth of the room is left to urgent messages, and room that becomes free is used', () => {
  const { world, send, cancel, message } = openWorld()
  Object.assign(world.settings, { messagesOpenMax: 20 })
  const refusal = { code: 'SERVICE_UNAVAILABLE', details: { retryAfterS: 60 } }
  const ids = Array.from({ length: 18 }, () => send())
  assert.throws(() => send(), refusal)
  const urgent = message({ priority: 'high' })
  send(urgent)
  assert.throws(() => world.ask('message.accept-all', { messages: [urgent, urgent] }), refusal)
  send(urgent)
  assert.throws(() => send(urgent), refusal)
  for (const id of ids.slice(0, 3)) cancel(id)
  send()
  assert.throws(() => send(), refusal)
})

test('messages above the bound of a start with less memory are sent, cancelled and expire', () => {
  const { world, send, cancel, phones, stored } = openWorld()
  const [phone] = phones
  assert.ok(phone)
  const ids = Array.from({ length: 8 }, (_, index) => send({ ttlMs: index === 5 ? 60_000 : null }))
  Object.assign(world.settings, { messagesOpenMax: 2 })
  world.restart()
  cancel(ids[6] ?? '')
  world.advance(60_000)
  phone.connect()
  for (const id of ids) {
    phone.begin(id)
    phone.report(id, 'sent')
  }
  const ends = ids.map(id => endOf(stored(id)))
  assert.deepEqual(ends, ['sent', 'sent', 'sent', 'sent', 'sent', 'EXPIRED', 'CANCELLED', 'sent'])
})

test('a country that is not named gets neither texts nor codes that a call asks for', () => {
  const { world, accountId, send, phones } = openWorld()
  phones[0]?.connect()
  Object.assign(world.settings, { countries: ['IT', 'US'] })
  const refused = { code: 'FORBIDDEN', details: { reason: 'COUNTRY_NOT_ALLOWED' } }
  send({ country: 'IT' })
  send({ country: '+1' })
  send({ country: 'DE', test: true })
  for (const country of ['DE', '+44', '+800', null]) {
    assert.throws(() => send({ country }), refused)
    const code = {
      accountId,
      test: false,
      phoneNumber: '+4915112345678',
      country,
      deviceId: null,
      code: null,
    }
    const issue = { ...code, template: 'x {{code}}', validityMs: 60_000, idempotency: null }
    assert.throws(() => world.ask('two-factor.issue', issue), refused)
    const messages = [messageToAccept(accountId, { country: 'IT' }), messageToAccept(accountId, { country })]
    assert.throws(() => world.ask('message.accept-all', { messages }), refused)
  }
  assert.throws(() => send({ country: '+' }), refused, 'a short code of no SIM')
  phones[0]?.connect({ country: 'IT' })
  send({ country: '+' })
  assert.equal(world.database.prepare('SELECT count(*) AS count FROM message').get()?.['count'], 4)
})
