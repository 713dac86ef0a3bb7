import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OFFER_LEASE_MS, OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { JournalState } from '#contracts/phone-orders.ts'
import { TEMPLATE_DEFAULT } from '#contracts/two-factor.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

type Gateway = ReturnType<typeof openWorld>

/** A gateway with a phone that fetches messages, and so many phones that ask before they send. */
function openTaking(askingPhones = 0) {
  const gateway = openWorld(askingPhones)
  return { ...gateway, ...pairTaking(gateway, 40), pairAnother: () => pairTaking(gateway, 50) }
}

function pairTaking({ world, accountId }: Pick<Gateway, 'world' | 'accountId'>, socket: number) {
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  const about = { code, name: null, platform: null, appVersion: null }
  const { deviceId } = world.ask('device.pair', { ...about, protocol: 'smsgate-cloud' })
  const take = () => world.ask('phone.fetch', { deviceId }).map(one => `${one.messageId}/${one.attempt}`)
  return {
    deviceId,
    take,
    connect: (on = socket) => {
      const sims = [{ slot: 1, carrier: null, countryCode: 'US', phoneNumber: null }]
      const news = { type: 'opened', appVersion: '1.68.0', platform: 'test', sims } as const
      world.ask('phone.news', { deviceId, connection: { listener: 1, socket: on }, news })
    },
    close: (on = socket) =>
      world.ask('phone.closed', { deviceId, connection: { listener: 1, socket: on }, silentMs: 0 }),
    report: (messageId: string, state: JournalState, more: { code?: string; attempt?: number } = {}) => {
      const news = { type: 'report', messageId, attempt: 1, code: null, state, ...more } as const
      world.ask('phone.news', { deviceId, connection: null, news })
    },
    told: (on = socket) => world.ordersTo(on).map(({ type }) => type),
    cancelled: () => world.ask('phone.fetch', { deviceId }).filter(one => one.isCancelled === true).length,
    renew: () => world.ask('phone.renew', { deviceId }),
  }
}

test('a message that a phone takes is sending at once, and is given again until it is reported', () => {
  const { world, send, connect, told, take, report, stored } = openTaking()
  connect()
  const id = send()
  assert.deepEqual(told(), ['welcome', 'wake'])
  assert.equal(stored(id).status, 'queued')
  assert.deepEqual(take(), [`${id}/1`])
  assert.equal(stored(id).status, 'sending')
  assert.deepEqual(take(), [`${id}/1`])
  world.restart()
  assert.deepEqual(take(), [`${id}/1`])
  report(id, 'accepted')
  assert.deepEqual(take(), [])
  for (const state of ['sent', 'submitted', 'sent', 'delivered', 'accepted'] as const) report(id, state)
  assert.equal(stored(id).status, 'delivered')
})

test('no other phone gets a message that a phone took, however long that phone is silent', () => {
  const { world, phones, send, connect, take, pairAnother, stored } = openTaking(1)
  const [asking] = phones
  assert.ok(asking)
  connect()
  const id = send()
  assert.deepEqual(take(), [`${id}/1`])
  const other = pairAnother()
  other.connect()
  asking.connect()
  world.advance(OUTCOME_UNKNOWN_MS * 2)
  assert.deepEqual(other.take(), [])
  assert.deepEqual(asking.offered(), [])
  assert.deepEqual(take(), [`${id}/1`])
  world.advance(5 * 3_600_000)
  assert.deepEqual(take(), [])
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
})

test('a started message without a result ends as unknown after 15 minutes', () => {
  const { world, send, connect, take, report, stored } = openTaking()
  connect()
  const id = send()
  take()
  report(id, 'accepted')
  world.advance(OUTCOME_UNKNOWN_MS + 1000)
  assert.equal(stored(id).status, 'sending')
  report(id, 'submitted')
  report(id, 'accepted')
  world.advance(OUTCOME_UNKNOWN_MS + 1000)
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
})

test('a phone that registers again does not get its earlier messages, and a late report counts', () => {
  const { world, send, connect, take, renew, report, told, stored } = openTaking()
  connect()
  const [sent, unsent] = [send(), send()]
  assert.deepEqual(take(), [`${sent}/1`, `${unsent}/1`])
  told()
  const { token } = renew()
  assert.match(token, /^dvt_/)
  assert.deepEqual(told(), ['close'])
  assert.deepEqual([endOf(stored(sent)), endOf(stored(unsent))], ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'])
  assert.deepEqual(take(), [])
  report(sent, 'sent')
  assert.equal(stored(sent).status, 'sent')
  world.restart()
  assert.deepEqual(take(), [])
})

test('a failure without transmission is given out again as another attempt', () => {
  const { world, send, connect, take, report } = openTaking()
  connect()
  const id = send()
  take()
  report(id, 'failed', { code: 'NO_SERVICE' })
  assert.deepEqual(take(), [])
  world.advance(2000)
  assert.deepEqual(take(), [`${id}/2`])
  report(id, 'failed', { code: 'NO_SERVICE' })
  assert.deepEqual(take(), [`${id}/2`], 'a report about the first attempt says nothing about the second')
})

test('waiting messages of a phone that does not fetch them move, and the phone is woken again', () => {
  const { world, phones, send, connect, told, deviceId } = openTaking(1)
  const [abroad] = phones
  assert.ok(abroad)
  abroad.connect({ country: 'DE' })
  connect()
  const [id, pinned] = [send({ country: 'US' }), send({ country: 'US', deviceId })]
  assert.deepEqual(told(), ['welcome', 'wake', 'wake'])
  assert.deepEqual(abroad.offered(), [])
  world.advance(OFFER_LEASE_MS - 1)
  assert.deepEqual([told(), abroad.offered()], [[], []])
  world.advance(1)
  assert.deepEqual([told(), abroad.offered()], [['wake'], [id]])
  assert.notEqual(id, pinned)
  send({ country: 'US' })
  assert.equal(abroad.offered().length, 1, 'a phone that does not fetch its messages is not chosen')
})

test('a fetching phone has limited slots, gets nothing while paused, and is woken for a free slot', () => {
  const { world, send, connect, take, report, told, accountId, deviceId } = openTaking()
  connect()
  const ids = [send(), send(), send(), send()]
  assert.equal(take().length, 3)
  told()
  world.ask('device.update', { accountId, deviceId, change: { paused: true } })
  report(ids[0] ?? '', 'sent')
  assert.equal(take().length, 2, 'the same messages are handed over again')
  world.ask('device.update', { accountId, deviceId, change: { paused: false } })
  assert.deepEqual(told(), ['wake'])
  assert.ok(take().includes(`${ids[3]}/1`))
})

test('a fetching phone may have several connections, and is offline when the last one closes', () => {
  const { world, send, connect, close, told, accountId } = openTaking()
  const status = () => world.ask('device.list', { accountId })[0]?.status
  connect(40)
  connect(41)
  assert.deepEqual([told(40), told(41)], [['welcome'], ['welcome']])
  send()
  assert.deepEqual([told(40), told(41)], [['wake'], ['wake']])
  close(41)
  assert.equal(status(), 'online')
  close(40)
  assert.equal(status(), 'offline')
})

test('a silent phone counts as offline after a while, connected or not', () => {
  const { world, connect, close, take, accountId } = openTaking()
  world.ask('notification.set', { accountId, url: 'https://receiver.test/', events: ['device.offline'] })
  const told = () => world.database.prepare('SELECT count(*) AS told FROM notification_delivery').get()
  connect()
  close()
  world.advance(OFFLINE_AFTER_MS - 1000)
  take()
  world.advance(OFFLINE_AFTER_MS - 1000)
  assert.equal(told()?.['told'], 0)
  world.advance(1000)
  assert.equal(told()?.['told'], 1)
})

test('a phone that asks before it sends cannot fetch messages, nor can an unknown phone', () => {
  const { world, phones } = openTaking(1)
  const deviceId = phones[0]?.deviceId ?? ''
  assert.throws(() => world.ask('phone.fetch', { deviceId }), { code: 'CONFLICT' })
  assert.throws(() => world.ask('phone.fetch', { deviceId: 'dev_0' }), { code: 'NOT_FOUND' })
  assert.throws(() => world.ask('phone.renew', { deviceId: 'dev_0' }), { code: 'NOT_FOUND' })
})

function issueCode({ world, accountId }: Pick<Gateway, 'world' | 'accountId'>): string {
  const code = { accountId, test: false, phoneNumber: '+14155550123', country: 'US', code: '4711' }
  const more = { template: TEMPLATE_DEFAULT, validityMs: 300_000, deviceId: null, idempotency: null }
  return world.ask('two-factor.issue', { ...code, ...more }).answer.messageId
}

for (const [what, report, end] of [
  ['dropped', { state: 'failed', code: 'CANCELLED_ON_PHONE' }, 'CANCELLED'],
  ['could not send', { state: 'failed', code: 'NO_SERVICE' }, 'CANCELLED'],
  ['may have sent', { state: 'failed', code: 'RADIO_FAILURE' }, 'RADIO_FAILURE'],
  ['sent', { state: 'delivered', code: undefined }, 'delivered'],
] as const)
  test(`a replaced code is cancelled at the phone that has it; one that it ${what} ends as ${end}`, () => {
    const gateway = openTaking()
    const { connect, take, told, cancelled, report: say, stored } = gateway
    connect()
    const id = issueCode(gateway)
    take()
    say(id, 'accepted')
    told()
    issueCode(gateway)
    assert.ok(told().includes('cancel'))
    assert.equal(stored(id).status, 'sending')
    assert.equal(cancelled(), 1)
    say(id, report.state, report.code === undefined ? {} : { code: report.code })
    assert.equal(endOf(stored(id)), end)
    assert.equal(cancelled(), 0)
  })

for (const [what, code, end] of [
  ['dropped', 'CANCELLED_ON_PHONE', 'OPTED_OUT'],
  ['could not send', 'NO_SERVICE', 'OPTED_OUT'],
  ['may have sent', 'RADIO_FAILURE', 'RADIO_FAILURE'],
])
  test(`after an opt-out a phone drops what it has; what it ${what} ends as ${end}`, () => {
    const { world, accountId, connect, send, take, told, cancelled, report, stored } = openTaking()
    connect()
    const id = send()
    take()
    report(id, 'accepted')
    told()
    world.ask('opt-out.add', { accountId, test: false, phoneNumber: stored(id).phoneNumber })
    assert.deepEqual([told().includes('cancel'), cancelled(), stored(id).status], [true, 1, 'sending'])
    report(id, 'failed', { code: code ?? '' })
    assert.deepEqual([endOf(stored(id)), cancelled()], [end, 0])
  })

test('a replaced code that a phone has begun to send is not cancelled', () => {
  const gateway = openTaking()
  const { connect, take, told, cancelled, report } = gateway
  connect()
  const id = issueCode(gateway)
  take()
  report(id, 'submitted')
  told()
  issueCode(gateway)
  assert.deepEqual([told().includes('cancel'), cancelled()], [false, 0])
})

test('a phone that is removed is asked to drop what it fetched', () => {
  const { world, accountId, deviceId, connect, send, take, told } = openTaking()
  connect()
  send()
  take()
  told()
  world.ask('device.remove', { accountId, deviceId })
  assert.deepEqual(told(), ['cancel', 'close'])
})

test('what waits behind offers that another phone took over is offered, too', () => {
  const { world, phones, send, connect, take } = openTaking(1)
  const [asking] = phones
  assert.ok(asking)
  const sims = [{ slot: 1, carrier: null, countryCode: 'DE', phoneNumber: null }]
  asking.connect({ about: { sims } })
  const texts = Array.from({ length: 4 }, () => send({ country: 'DE' }))
  assert.deepEqual(asking.offered(), texts.slice(0, 3))
  connect()
  const stay = (ms: number) => {
    world.advance(ms)
    asking.sendFrame({ type: 'telemetry', battery: null, charging: null, signal: null, sims, busy: false })
  }
  stay(OFFER_LEASE_MS / 2)
  stay(OFFER_LEASE_MS / 2)
  assert.deepEqual(
    take(),
    texts.slice(0, 3).map(id => `${id}/1`),
  )
  asking.offered()
  stay(OFFER_LEASE_MS / 2)
  stay(OFFER_LEASE_MS / 2)
  assert.deepEqual(asking.offered(), texts.slice(3))
})
