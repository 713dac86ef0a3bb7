/** STOP: which texts end all further ones to their number. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AcceptMessage } from '#contracts/commands.ts'
import { PEOPLE, startIncidents } from '#test/kit/incident-world.ts'
import { messageToAccept } from '#test/kit/messages.ts'
import { NotifiedWorld } from '#test/kit/notified-world.ts'
import { NUMBER, REFUSED, startOptOuts as start } from '#test/kit/opt-out-world.ts'

const DAY = 86_400_000

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

  test('START takes off also what the owner put on the list, and STOP puts it there again', () => {
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
    // Numbers are forgotten with their texts, after 90 days by default.
    Object.assign(world.settings, { retentionMs: 400 * DAY, recordsMs: 400 * DAY })
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

test('a person of section "on call" is not concerned, whatever she writes', () => {
  const it = startIncidents()
  const { accountId, world } = it
  it.alarm()
  it.news()
  world.ask('message.accept', messageToAccept(accountId, { phoneNumber: PEOPLE.ada, queueIfOffline: true }))
  it.news()
  it.says('ada', 'STOP')
  assert.deepEqual(it.news(), ['ada: Not understood. 2: I take it, no: pass on, ?: list'])
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

test('one text a day confirms it, if the owner wants that, however often STOP and START come', () => {
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
  const confirmation = ['You get no more texts from us. START brings them back.', phone.deviceId]
  for (const words of ['STOP', 'STOP', 'START', 'stop', 'start', 'STOP']) says(words)
  assert.deepEqual(texts(), [confirmation])
  says('START')
  world.advance(DAY)
  phone.connect({ about: { receives: true } })
  says('STOP')
  assert.deepEqual(texts(), [confirmation, confirmation])
})
