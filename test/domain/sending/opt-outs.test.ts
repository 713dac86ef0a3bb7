/** What happens to the texts for a number that wants no more. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NUMBER, REFUSED, startOptOuts as start } from '#test/kit/opt-out-world.ts'
import { endOf } from '#test/kit/test-phone.ts'

const DAY = 86_400_000

suite('to a number that wants no more texts', () => {
  test('codes, alerts, and what a person sends on purpose still go', () => {
    const { says, send, accountId, world } = start()
    says('STOP')
    for (const different of [{ kind: 'webhook' }, { despiteOptOut: true }] as const) send(different)
    const code = { accountId, test: false, phoneNumber: NUMBER, country: 'US', code: null }
    const answer = world.ask('two-factor.issue', {
      ...code,
      template: 'Code {code}',
      validityMs: 60_000,
      deviceId: null,
      idempotency: null,
    })
    assert.equal(answer.answer.status, 'queued')
  })

  test('a call with several numbers leaves it out, and is refused only if none is left', () => {
    const { says, message, world } = start()
    says('STOP')
    const numbers = Array.from({ length: 100 }, (_, index) => `+141555501${String(index).padStart(2, '0')}`)
    assert.ok(numbers.includes(NUMBER))
    const messages = numbers.map(phoneNumber => message({ phoneNumber }))
    const { accepted, optedOut } = world.ask('message.accept-all', { messages, name: 'first' })
    assert.deepEqual([accepted.length, optedOut], [99, [NUMBER]])
    const rows = world.database.prepare('SELECT count(*) AS n FROM message').get()
    assert.equal(rows?.['n'], 100, 'the first one and 99 of the call')
    assert.throws(() => world.ask('message.accept-all', { messages: [message()] }), REFUSED)
    const [other] = numbers
    says('STOP', other)
    const both = [message(), message({ phoneNumber: other ?? '' })]
    assert.throws(() => world.ask('message.accept-all', { messages: both }), REFUSED)
  })

  test('what waits, was offered, is planned or pauses ends as OPTED_OUT, and no phone sends it', () => {
    const { says, send, stored, phone, world, first } = start()
    phone.begin(first)
    const planned = send({ sendAt: world.wallMs + DAY })
    const other = send({ phoneNumber: '+14155550124', sendAt: world.wallMs + DAY })
    const alert = send({ kind: 'webhook', sendAt: world.wallMs + DAY })
    const offered = send()
    assert.ok(phone.offered().includes(offered))
    phone.close()
    const waiting = send()
    phone.connect({ about: { receives: true }, journal: [] })
    says('STOP')
    assert.deepEqual(
      [planned, offered, waiting].map(id => endOf(stored(id))),
      ['OPTED_OUT', 'OPTED_OUT', 'OPTED_OUT'],
    )
    world.advance(DAY)
    assert.notEqual(stored(other).failure?.code, 'OPTED_OUT')
    assert.notEqual(stored(alert).failure?.code, 'OPTED_OUT')
  })

  test('a text that a phone sends then ends as OPTED_OUT if it fails, and is sent if it is sent', () => {
    const { says, send, stored, phone, first } = start()
    const second = send()
    for (const id of [first, second]) phone.begin(id)
    says('STOP')
    phone.report(first, 'failed', { code: 'NO_SERVICE' })
    phone.report(second, 'submitted')
    phone.report(second, 'sent')
    assert.deepEqual([endOf(stored(first)), endOf(stored(second))], ['OPTED_OUT', 'sent'])
  })

  test('a text that a phone proves not to have begun ends as OPTED_OUT', () => {
    const { says, stored, phone, first, world } = start()
    phone.begin(first)
    says('STOP')
    world.restart()
    phone.connect({ journal: [{ messageId: first, attempt: 1, state: 'accepted', code: null }] })
    assert.equal(endOf(stored(first)), 'OPTED_OUT')
  })

  test('the list survives a restart', () => {
    const { says, send, world } = start()
    says('STOP')
    world.restart()
    assert.throws(() => send(), REFUSED)
  })
})

suite('the owner', () => {
  test('puts numbers on the list and takes them off; twice changes nothing', () => {
    const { put, take, send, world } = start()
    const entry = put()
    assert.deepEqual([entry.phoneNumber, entry.by], [NUMBER, 'owner'])
    world.advance(1000)
    assert.deepEqual(put(), entry)
    assert.throws(() => send(), REFUSED)
    assert.deepEqual(take(), { phoneNumber: NUMBER })
    assert.throws(() => take(), { code: 'NOT_FOUND' })
    send()
  })

  test('of another account is not concerned', () => {
    const { says, send, world } = start()
    says('STOP')
    const other = world.ask('account.create', { email: 'b@example.org', plan: 'pro', passwordHash: null })
    send({ accountId: other.accountId })
  })
})

test('the sandbox has a list of its own, and heeds the one of the account', () => {
  const { says, send, put, take, stored, world } = start()
  const planned = send({ test: true, sendAt: world.wallMs + DAY })
  put(NUMBER, true)
  assert.equal(endOf(stored(planned)), 'OPTED_OUT')
  assert.throws(() => send({ test: true }), REFUSED)
  send()
  take(NUMBER, true)
  const again = send({ test: true, sendAt: world.wallMs + DAY })
  says('STOP')
  assert.equal(endOf(stored(again)), 'OPTED_OUT')
  assert.throws(() => send({ test: true }), REFUSED)
  assert.throws(() => take(NUMBER, true), { code: 'NOT_FOUND' })
})
