import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ForwardFields } from '#contracts/forward.ts'
import type { DueDelivery } from '#contracts/notification-delivery.ts'
import { openForwardRows } from '#storage/forward-store.ts'
import { HELLO } from '#test/kit/hello.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { answered, HUNG, NotifiedWorld, OK, reports } from '#test/kit/notified-world.ts'

const BANK = '+14155550144'
/** The number of the gateway's own phone. */
const OWN = '+14155550190'
const URL = 'https://ntfy.test/topic'

interface Sent {
  readonly from?: string
  readonly message?: string
  readonly simSlot?: number | null
}

function start() {
  const given = new NotifiedWorld()
  const { world, accountId, deviceId } = given
  const sims = [{ slot: 1, carrier: null, countryCode: 'US', phoneNumber: OWN }]
  world.sendFromPhone(deviceId, 7, { ...HELLO, sims })
  world.sendFromPhone(deviceId, 7, { type: 'sync', messages: [], more: false })
  let reported = 0
  return {
    world,
    given,
    receive({ from = BANK, message = 'Hello', simSlot = null }: Sent = {}) {
      given.sendFrame({ type: 'received', id: `r${++reported}`, from, message, at: null, simSlot })
    },
    forward: (fields: Partial<ForwardFields> = {}) =>
      world.ask('forward.create', {
        accountId,
        fields: {
          name: 'Forward',
          kind: 'ntfy',
          url: URL,
          target: null,
          credential: null,
          from: null,
          contains: null,
          codes: false,
          enabled: true,
          ...fields,
        },
      }).id,
    person: (name: string, phoneNumber: string) =>
      world.ask('person.create', {
        accountId,
        fields: { name, phoneNumber, country: 'US', timeZone: null, quiet: null },
      }).id,
    find: (id: string) => openForwardRows(world.database).find(accountId, id),
  }
}

const bodyOf = ({ request }: DueDelivery): string =>
  request?.via === 'http' ? request.body : String(request?.via)

test('each text is passed on once, with its codes hidden, beside the account’s own notification', () => {
  const it = start()
  it.given.subscribe()
  it.forward()
  it.forward({ name: 'All', codes: true })
  it.receive({ message: 'Your code is 482913' })
  // The lanes do not wait for one another.
  const due = it.given.exchange()
  assert.deepEqual(due.map(bodyOf).toSorted(), ['Your code is ******', 'Your code is 482913', 'undefined'])
  it.given.exchange(reports(due, OK))
  assert.deepEqual(it.given.exchange(), [])
  // The phone reports the text again, because it did not hear that the gateway has it.
  it.given.sendFrame({
    type: 'received',
    id: 'r1',
    from: BANK,
    message: 'Your code is 482913',
    at: null,
    simSlot: null,
  })
  assert.deepEqual(it.given.exchange(), [])
})

test('sender and words choose texts', () => {
  const it = start()
  it.forward({ name: 'sender', url: `${URL}/sender`, from: '+1 415 555 0144' })
  it.forward({ name: 'name', url: `${URL}/name`, from: 'mybank' })
  it.forward({ name: 'word', url: `${URL}/word`, contains: 'Überweisung' })
  it.forward({ name: 'off', url: `${URL}/off`, enabled: false })
  const passed = (sent: Sent) => {
    it.receive(sent)
    const due = it.given.sendAll(OK)
    return due.map(({ request }) => (request?.via === 'http' ? request.url.split('/').at(-1) : null))
  }
  assert.deepEqual(passed({}), ['sender'])
  assert.deepEqual(passed({ from: 'MyBank', message: 'Ihre Zahlung' }), ['name'])
  assert.deepEqual(passed({ from: 'Other', message: 'Ihre ÜBERWEISUNG von 5 EUR' }), ['word'])
  assert.deepEqual(passed({ from: '+14155550145' }), [])
})

test('a text and its delivery are stored together, or neither is', () => {
  const it = start()
  it.forward()
  const { database } = it.world
  const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON notification_delivery
    BEGIN SELECT RAISE(ABORT, 'full'); END`)
  assert.throws(() => it.receive(), /full/)
  assert.equal(count('received'), 0)
  database.exec('DROP TRIGGER full')
  it.receive()
  assert.deepEqual([count('received'), count('notification_delivery')], [1, 1])
})

test('a service that fails is tried again, is a problem after an hour, and off after five days', () => {
  const it = start()
  const id = it.forward({ name: 'Kitchen' })
  it.receive()
  it.given.sendAll(answered(500))
  assert.ok(it.find(id)?.failingSince)
  assert.deepEqual(it.given.exchange(), [])
  const problems = () =>
    it.world.ask('health.list', { accountId: it.given.accountId }).filter(({ subject }) => subject === id)
  assert.deepEqual(problems(), [])
  it.world.advance(3_700_000)
  it.given.sendAll(HUNG)
  const [failing] = problems()
  assert.equal(failing?.code, 'NOTIFICATIONS_FAILING')
  assert.match(failing?.message ?? '', /Kitchen/)
  for (let day = 0; day < 5; day += 1) {
    it.world.advance(86_400_000)
    it.receive()
    it.given.sendAll(answered(500))
  }
  const { enabled, disabledReason } = it.find(id) ?? {}
  assert.deepEqual([enabled, disabledReason], [false, 'FAILING'])
  assert.equal(problems()[0]?.code, 'NOTIFICATIONS_DISABLED')
  assert.deepEqual([...new Set(it.given.deliveries().map(({ status }) => status))].toSorted(), [
    'cancelled',
    'failed',
  ])
  it.receive()
  assert.equal(it.given.deliveries().length, 6, 'nothing is passed on while it is off')
  it.world.ask('forward.update', { accountId: it.given.accountId, id, change: { enabled: true } })
  assert.deepEqual(problems(), [])
  it.receive()
  it.given.sendAll(OK)
  assert.equal(it.given.deliveries()[0]?.status, 'delivered')
})

test('a repeat has the id of the first attempt in a header, also for services without ids', () => {
  const it = start()
  it.forward({ kind: 'slack', url: 'https://hooks.example.org/x' })
  it.receive()
  const [first] = it.given.sendAll(answered(500))
  it.world.advance(10_000)
  for (const { request } of [...it.given.sendAll(OK), first as DueDelivery])
    assert.equal(request?.via === 'http' && request.headers['x-webhook-id'], first?.id)
})
test('410 switches only this forward off', () => {
  const it = start()
  const [gone, other] = [it.forward({ url: 'https://gone.test/' }), it.forward()]
  it.receive()
  const due = it.given.exchange()
  const results = due.map(one =>
    reports([one], answered(one.request?.via === 'http' && one.request.url !== URL ? 410 : 200)),
  )
  it.given.exchange(results.flat())
  assert.equal(it.find(gone)?.disabledReason, 'GONE')
  assert.equal(it.find(other)?.enabled, true)
})

test('a pause in the answer is obeyed', () => {
  const it = start()
  it.forward({ kind: 'telegram', url: null, target: '-100123', credential: '123:ABC' })
  it.receive()
  const answer =
    '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":37}}'
  it.given.sendAll({ ...answered(429), answer })
  it.world.advance(36_000)
  assert.deepEqual(it.given.exchange(), [])
  it.world.advance(2_000)
  assert.equal(it.given.exchange().length, 1)
})

test('a credential is not stored with the answer of a service that repeats it', () => {
  const it = start()
  const credential = 'tk_secret_word'
  it.forward({ credential })
  it.receive()
  it.given.sendAll({ ...answered(401), answer: `{"authorization":"Bearer ${credential}"}` })
  assert.equal(it.given.deliveries()[0]?.log[0]?.answer, '{"authorization":"Bearer ***"}')
})

test('what waits goes to the new target, and is cancelled when the forward is removed', () => {
  const it = start()
  const id = it.forward()
  it.receive()
  it.given.sendAll(HUNG)
  const url = 'https://new.test/topic'
  it.world.ask('forward.update', { accountId: it.given.accountId, id, change: { url } })
  it.world.advance(10_000)
  const [again] = it.given.exchange()
  assert.ok(again?.request?.via === 'http')
  assert.equal(again.request.url, url)
  it.world.ask('forward.remove', { accountId: it.given.accountId, id })
  it.given.exchange(reports([again], answered(500)))
  it.world.advance(400_000)
  assert.deepEqual(it.given.exchange(), [])
  assert.equal(it.given.deliveries()[0]?.status, 'cancelled')
})

test('a person gets the text by text once, also when the attempt is repeated after a kill', () => {
  const it = start()
  const target = it.person('Ada', '+14155550201')
  it.forward({ kind: 'sms', url: null, target })
  it.receive({ message: 'Your code is 482913' })
  const [due] = it.given.exchange()
  assert.ok(due)
  assert.deepEqual(due.request, { via: 'sms' })
  const texts = () => it.world.database.prepare('SELECT phone_number, text FROM message').all()
  const first = it.world.ask('forward.text', { id: due.id })
  assert.equal(first.status, 200)
  assert.deepEqual(it.world.ask('forward.text', { id: due.id }), first)
  const text = `Text from ${BANK}:\nYour code is ******`
  assert.deepEqual(
    texts().map(row => ({ ...row })),
    [{ phone_number: '+14155550201', text }],
  )
  it.given.exchange(reports([due], first))
  const { accountId } = it.given
  it.world.ask('notification.replay', { accountId, id: due.id })
  const [again] = it.given.exchange()
  it.world.ask('forward.text', { id: again?.id ?? '' })
  assert.equal(texts().length, 2, 'a replay texts again')
})

test('texts to people make no circle', () => {
  const it = start()
  const [ada, bob] = [it.person('Ada', '+14155550201'), it.person('Bob', '+14155550202')]
  for (const target of [ada, bob]) it.forward({ kind: 'sms', url: null, target })
  it.forward({ url: URL })
  const kinds = (from: string, message = 'Hello') => {
    it.receive({ from, message })
    return it.given.sendAll(OK).map(({ request }) => request?.via)
  }
  assert.deepEqual(kinds(BANK).toSorted(), ['http', 'sms', 'sms'])
  assert.deepEqual(kinds('+14155550201'), ['http'], 'Ada’s mailbox may answer each text')
  assert.deepEqual(kinds('(415) 555-0202'), ['http'], 'read with the country of the SIM')
  assert.deepEqual(kinds(OWN), ['http'], 'our own phone')
  const lengths = [1, 2, 3, 4].map(times => kinds(BANK, 'Text from Ada:\n'.repeat(times)).length)
  assert.deepEqual(lengths, [3, 1, 1, 0], 'round by other gateways')
})

test('a person gets 30 texts an hour, and the others later', () => {
  const it = start()
  it.forward({ kind: 'sms', url: null, target: it.person('Ada', '+14155550201') })
  const statuses: (number | null)[] = []
  for (let count = 0; count < 31; count++) {
    it.receive({ message: `text ${count}` })
    for (const due of it.given.exchange()) {
      const result = it.world.ask('forward.text', { id: due.id })
      statuses.push(result.status)
      it.given.exchange(reports([due], result))
    }
  }
  assert.deepEqual(statuses, [...Array(30).fill(200), 429])
})

test('an answer to an incident is not passed on, and other texts of the same person are', () => {
  const it = startIncidents()
  const accountId = it.ids.accountId
  const fields = { name: 'F', kind: 'ntfy', url: URL, target: null, credential: null, from: null } as const
  it.world.ask('forward.create', {
    accountId,
    fields: { ...fields, contains: null, codes: false, enabled: true },
  })
  const passed = () =>
    it.world.database
      .prepare('SELECT count(*) AS n FROM notification_delivery WHERE forward_id IS NOT NULL')
      .get()?.['n']
  it.says('ada', 'ok')
  assert.equal(passed(), 1, 'no incident is open')
  it.alarm()
  it.says('ada', 'ok')
  assert.equal(passed(), 1)
  it.says('ada', 'I am on the train')
  assert.equal(passed(), 2)
})

test('a person that a forward names cannot be removed', () => {
  const it = start()
  const { accountId } = it.given
  const id = it.person('Ada', '+14155550201')
  const forward = it.forward({ name: 'To Ada', kind: 'sms', url: null, target: id })
  assert.throws(() => it.world.ask('on-call.remove', { accountId, id, kind: 'person' }), /the forward To Ada/)
  it.world.ask('forward.remove', { accountId, id: forward })
  it.world.ask('on-call.remove', { accountId, id, kind: 'person' })
})
