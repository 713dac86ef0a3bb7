/** STOP: numbers that want no more texts, and what still goes to them. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AcceptMessage } from '#contracts/commands.ts'
import { PEOPLE, startIncidents } from '#test/kit/incident-world.ts'
import { NotifiedWorld } from '#test/kit/notified-world.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { TestWorld } from '#test/kit/world.ts'

const DAY = 86_400_000
const NUMBER = '+14155550123'
const REFUSED = { code: 'FORBIDDEN', details: { reason: 'OPTED_OUT' } }

/** A gateway with a phone, which has texted `NUMBER` once. */
function start(world = new TestWorld()) {
  const it = openWorld(1, world)
  const [phone] = it.phones
  assert.ok(phone)
  phone.connect({ about: { receives: true } })
  const { accountId } = it
  let last = 0
  const says = (message: string, from = NUMBER) => {
    phone.sendFrame({ type: 'received', id: `r${++last}`, from, message, at: null, simSlot: null })
  }
  const which = (phoneNumber = NUMBER, test = false) => ({ accountId, test, phoneNumber })
  const listed = () =>
    world.database
      .prepare('SELECT phone_number FROM opt_out ORDER BY seq')
      .all()
      .map(row => row['phone_number'])
  return {
    ...it,
    phone,
    says,
    listed,
    put: (phoneNumber?: string, test = false) => world.ask('opt-out.add', which(phoneNumber, test)),
    take: (phoneNumber?: string, test = false) => world.ask('opt-out.remove', which(phoneNumber, test)),
    first: it.send(),
  }
}

suite('a text', () => {
  for (const words of ['STOP', 'stop', ' Stop. ', 'STOP!', 'stop!!\n', 'StopAll', 'unsubscribe', 'Abmelden.'])
    test(`${JSON.stringify(words)} ends all texts to its number`, () => {
      const { says, send, listed } = start()
      says(words)
      assert.deepEqual(listed(), [NUMBER])
      assert.throws(() => send(), REFUSED)
      send({ phoneNumber: '+14155550124' })
    })

  for (const words of ['stop it', 'please STOP', 'STOP?', 'stop, stop', '', 'st op', 'x'.repeat(500)])
    test(`${JSON.stringify(words.slice(0, 20))} means something else`, () => {
      const { says, send } = start()
      says(words)
      send()
    })

  test('counts in the words of the configuration, of which there may be none', () => {
    const it = start()
    Object.assign(it.world.settings, { stopWords: [] })
    it.says('STOP')
    it.send()
    Object.assign(it.world.settings, { stopWords: ['basta'] })
    it.says('Stop')
    it.send()
    it.says('BASTA!')
    assert.throws(() => it.send(), REFUSED)
  })

  test('START takes a number off the list, whoever put it there, and STOP puts it there again', () => {
    const { says, send, put } = start()
    says('STOP')
    says('Start.')
    send()
    says('STOP')
    assert.throws(() => send(), REFUSED)
    says('START')
    put()
    assert.throws(() => send(), REFUSED)
    says('start!')
    send()
  })

  test('of a number in its national form counts, read with the country of the SIM', () => {
    const { phone, says, listed } = start()
    const sims = [{ slot: 1, carrier: null, countryCode: 'US', phoneNumber: null }]
    phone.connect({ about: { receives: true, sims } })
    says('stop', '(415) 555-0123')
    assert.deepEqual(listed(), [NUMBER])
  })
})

suite('STOP counts only', () => {
  test('from a number that this account has texted', () => {
    const { says, send, listed, world } = start()
    const other = world.ask('account.create', { email: 'b@example.org', plan: 'pro', passwordHash: null })
    send({ accountId: other.accountId, phoneNumber: '+14155550130' })
    for (const from of ['+14155550124', '+14155550130', '12345', 'BANK']) says('STOP', from)
    assert.deepEqual(listed(), [])
  })

  test('within 90 days, also when it was planned long before', () => {
    const { says, send, listed, world } = start()
    const planned = '+14155550124'
    send({ phoneNumber: planned, sendAt: world.wallMs + 80 * DAY })
    world.advance(90 * DAY)
    says('STOP')
    assert.deepEqual(listed(), [NUMBER], 'the last day')
    says('START')
    world.advance(DAY)
    for (const from of [NUMBER, planned]) says('STOP', from)
    assert.deepEqual(listed(), [planned])
  })

  test('where a call texted it: no code, alert, alarm, forward or text of the sandbox is one', () => {
    const { says, send, listed, world } = start()
    const texts: readonly Partial<AcceptMessage>[] = [
      { kind: '2fa' },
      { kind: 'webhook' },
      { despiteOptOut: true },
      { test: true },
    ]
    for (const [index, different] of texts.entries()) {
      const phoneNumber = `+1415555014${index}`
      send({ phoneNumber, ...different })
      says('STOP', phoneNumber)
    }
    Object.assign(world.settings, { alarmRecipients: [{ phoneNumber: '+14155550150', country: 'US' }] })
    world.ask('alarm.test', {})
    says('STOP', '+14155550150')
    assert.deepEqual(listed(), [])
  })

  test('when it comes in after the upgrade', () => {
    const { says, send, phone, world, listed } = start()
    says('STOP')
    world.database.exec('DELETE FROM opt_out')
    world.restart()
    phone.connect({ about: { receives: true } })
    // The phone reports its texts again.
    phone.sendFrame({ type: 'received', id: 'r1', from: NUMBER, message: 'STOP', at: null, simSlot: null })
    assert.deepEqual(listed(), [])
    send()
  })

  test('while the list has room; what an owner adds beyond is refused', () => {
    const { says, put, listed, world, accountId, phone } = start()
    world.database.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO opt_out (account_id, test, phone_number, since, by)
        SELECT '${accountId}', 0, '+999' || i, 0, 'owner' FROM n`)
    world.restart()
    phone.connect({ about: { receives: true } })
    assert.throws(() => put(), { code: 'CONFLICT', message: /100000 numbers/ })
    says('STOP')
    assert.equal(listed().includes(NUMBER), false)
    assert.ok(world.effects.some(effect => effect.kind === 'log' && effect.event === 'opt_out.full'))
  })
})

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

test('a person of section "on call" is not concerned, whatever she writes', () => {
  const it = startIncidents()
  const { accountId, world } = it
  it.alarm()
  it.news()
  const { messageId: _ } = JSON.parse(
    world.ask('message.accept', {
      ...{ accountId, test: false, kind: 'sms', phoneNumber: PEOPLE.ada, country: 'US', text: 'hello' },
      ...{ segments: 1, encoding: 'GSM-7', deviceId: null, ttlMs: null, sendAt: null, priority: 'normal' },
      ...{
        simSlot: null,
        queueIfOffline: true,
        notificationUrl: null,
        despiteOptOut: false,
        idempotency: null,
      },
    }).answer,
  )
  it.says('ada', 'STOP')
  assert.equal(world.database.prepare('SELECT 1 FROM opt_out').get(), undefined)
  // Also where the owner has put her number on the list.
  world.ask('opt-out.add', { accountId, test: false, phoneNumber: PEOPLE.ada })
  it.news()
  it.alarm('printer')
  assert.deepEqual(
    it.news().map(text => text.slice(0, 4)),
    ['ada:'],
  )
})

test('the event says who wants no more texts, and since when; the end of each text is an event, too', () => {
  const notified = new NotifiedWorld()
  notified.subscribe()
  notified.connect()
  notified.accept({ queueIfOffline: true, sendAt: notified.world.wallMs + DAY })
  notified.sendFrame({ type: 'received', id: 'r1', from: NUMBER, message: 'Stop', at: null, simSlot: null })
  const events = notified.deliveries().map(({ body }) => JSON.parse(body))
  const since = new Date(notified.world.wallMs).toISOString()
  const optedOut = events.find(({ event }) => event === 'sms.opted_out')
  assert.deepEqual(optedOut, {
    event: 'sms.opted_out',
    timestamp: since,
    data: { phoneNumber: NUMBER, since, by: 'text' },
  })
  const names = events.map(({ event }) => event).filter(event => event.startsWith('sms.'))
  assert.deepEqual(names.sort(), ['sms.failed', 'sms.opted_out', 'sms.received'])
})

test('one text confirms it, if the owner wants that; a repeated STOP gets none', () => {
  const { says, world, phone } = start()
  const texts = () =>
    world.database
      .prepare('SELECT text, device_id FROM message ORDER BY serial')
      .all()
      .slice(1)
      .map(row => [row['text'], row['device_id']])
  says('STOP')
  assert.deepEqual(texts(), [])
  says('START')
  Object.assign(world.settings, { confirmOptOut: true })
  for (const words of ['STOP', 'STOP', 'stop']) says(words)
  assert.deepEqual(texts(), [['You get no more texts from us. START brings them back.', phone.deviceId]])
})
