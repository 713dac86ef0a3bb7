import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTIFICATION_RETRY_DELAYS_MS } from '#domain/notification/retry-schedule.ts'
import { NOTIFICATIONS_KEPT_DAYS, RETENTION_EVERY_MS } from '#domain/retention/apply-retention.ts'
import { DAY_MS } from '#domain/time.ts'
import { answered, HOOK, HUNG, NotifiedWorld, OK, reports } from '#test/kit/notified-world.ts'

function testEvent(given: NotifiedWorld): string {
  return given.world.ask('notification.test', { accountId: given.accountId }).id
}

test('the sender gets a delivery once, and again after a restart with the same id', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const id = testEvent(given)
  const [first] = given.exchange()
  assert.deepEqual([first?.id, first?.attempt, first?.url], [id, 1, HOOK])
  assert.deepEqual(given.exchange(), [])
  given.world.restart()
  assert.deepEqual(given.exchange(), [first])
})

test('a later event of a message is not sent before an earlier one was tried', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.deliver()
  const first = given.exchange()
  assert.deepEqual(
    first.map(({ body }) => JSON.parse(body).event),
    ['sms.sent'],
  )
  assert.deepEqual(given.exchange(), [])
  const overloaded = { ...HUNG, error: 'OVERLOADED' as const }
  assert.deepEqual(
    given.exchange(reports(first, overloaded)),
    [],
    'an overloaded delivery counts as not tried',
  )
  given.world.advance(1_000)
  const again = given.exchange()
  assert.deepEqual(again, first)
  const next = given.exchange(reports(again, answered(500)))
  assert.deepEqual(
    next.map(({ body }) => JSON.parse(body).event),
    ['sms.delivered'],
  )
})

for (const random of [0, 0.5, 1]) {
  test(`the delays follow the schedule within its jitter (random ${random})`, () => {
    const given = new NotifiedWorld()
    given.subscribe()
    const id = testEvent(given)
    let sinceMs = given.world.monoMs
    const waits: number[] = []
    for (let turn = 0; turn < 100; turn += 1) {
      const due = given.exchange()
      if (due.length > 0) {
        waits.push(given.world.monoMs - sinceMs)
        sinceMs = given.world.monoMs
        assert.equal(due[0]?.attempt, waits.length)
        given.exchange(reports(due, answered(500), random), 0)
      }
      const { nextInMs } = given.world.ask('notification.exchange', { results: [], room: 0 })
      if (nextInMs === null) break
      given.world.advance(nextInMs)
    }
    assert.deepEqual(
      waits,
      NOTIFICATION_RETRY_DELAYS_MS.map(ms => Math.round(ms * (0.8 + 0.4 * random))),
    )
    const [delivery] = given.deliveries()
    assert.deepEqual([delivery?.id, delivery?.status, delivery?.attempts], [id, 'failed', 8])
    assert.equal(delivery?.log.length, 8)
    assert.equal(given.setting().enabled, true)
  })
}

test('Retry-After of 429 and 503 lengthens the wait', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  testEvent(given)
  given.sendAll(answered(503, 60_000))
  given.world.advance(59_999)
  assert.deepEqual(given.exchange(), [])
  given.world.advance(1)
  assert.equal(given.exchange().length, 1)
})

test('410 disables the URL, cancels waiting deliveries, and is shown to owner and log', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  for (let turn = 0; turn < 3; turn += 1) testEvent(given)
  const [first] = given.exchange([], 1)
  assert.ok(first)
  given.exchange(reports([first], answered(410)), 0)
  assert.deepEqual(
    given.deliveries().map(({ status }) => status),
    ['cancelled', 'cancelled', 'failed'],
  )
  const { enabled, disabledReason, disabledAt } = given.setting()
  assert.deepEqual([enabled, disabledReason, disabledAt], [false, 'GONE', '2026-01-15T12:00:00.000Z'])
  assert.ok(given.world.effects.some(effect => effect.kind === 'log' && effect.level === 'warn'))
  given.deliver()
  assert.equal(given.deliveries().length, 3)
  assert.throws(() => testEvent(given), { code: 'CONFLICT' })
})

test('410 from a URL that was replaced meanwhile does not disable the new one', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const id = testEvent(given)
  const due = given.exchange()
  given.subscribe('https://other.test/hook')
  const [again] = given.exchange(reports(due, answered(410)))
  assert.deepEqual([again?.id, again?.url], [id, 'https://other.test/hook'])
  assert.equal(given.setting().enabled, true)
})

test('five days without a success disable the URL; a success restarts the count', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const fail = () => {
    testEvent(given)
    given.sendAll(answered(500))
  }
  fail()
  assert.equal(given.setting().failingSince, '2026-01-15T12:00:00.000Z')
  given.world.advance(4 * DAY_MS)
  given.sendAll(OK)
  assert.equal(given.setting().failingSince, null)
  fail()
  for (let day = 1; day < 5; day += 1) {
    given.world.advance(DAY_MS)
    fail()
  }
  given.world.advance(DAY_MS - 1)
  fail()
  assert.equal(given.setting().enabled, true)
  given.world.advance(1)
  fail()
  assert.deepEqual([given.setting().enabled, given.setting().disabledReason], [false, 'FAILING'])
  given.subscribe()
  assert.deepEqual([given.setting().enabled, given.setting().failingSince], [true, null])
})

test('days without a failed post do not disable the URL: four of the last five must have one', () => {
  const failsOn = (...days: number[]) => {
    const given = new NotifiedWorld()
    given.subscribe()
    let today = 0
    for (const day of days) {
      given.world.advance((day - today) * DAY_MS)
      today = day
      testEvent(given)
      given.sendAll(answered(500))
    }
    return given.setting().enabled
  }
  assert.equal(failsOn(0, 7), true)
  assert.equal(failsOn(0, 1, 2, 5), true)
  assert.equal(failsOn(0, 1, 2, 3), true)
  assert.equal(failsOn(0, 1, 2, 3, 5), false)
  assert.equal(failsOn(0, 6, 7, 8), true)
  assert.equal(failsOn(0, 6, 7, 8, 9), false)
})

test('failed and cancelled deliveries can be replayed, one by one or all since a time', () => {
  const given = new NotifiedWorld()
  const { accountId, world } = given
  given.subscribe()
  const early = testEvent(given)
  world.advance(60_000)
  const since = world.wallMs
  const late = testEvent(given)
  given.exchange(reports(given.exchange([], 1), answered(410)), 0)
  assert.throws(() => world.ask('notification.replay-failed', { accountId, since }), { code: 'CONFLICT' })
  given.subscribe()
  assert.deepEqual(world.ask('notification.replay-failed', { accountId, since }), {
    replayed: 1,
    more: false,
  })
  assert.deepEqual(
    given.sendAll(OK).map(({ id }) => id),
    [late],
  )
  const replayed = world.ask('notification.replay', { accountId, id: early })
  assert.deepEqual([replayed.status, replayed.attempts], ['pending', 1])
  assert.deepEqual(
    given.sendAll(OK).map(({ id, attempt }) => [id, attempt]),
    [[early, 2]],
  )
  const stranger = world.ask('account.create', { email: 'a@b.c', plan: 'pro', passwordHash: null })
  const theirs = { accountId: stranger.accountId, id: early }
  assert.throws(() => world.ask('notification.replay', theirs), { code: 'NOT_FOUND' })
})

test('a failed transaction gives the sender nothing', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const id = testEvent(given)
  const { batch, database } = given.world
  database.exec("CREATE TRIGGER broken BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, 'broken'); END")
  const { answers } = batch.run([
    { id: 0, name: 'notification.exchange', input: { results: [], room: 9 } },
    { id: 1, name: 'account.set-plan', input: { email: 'owner@localhost', plan: 'free' } },
  ])
  assert.deepEqual(
    answers.map(({ ok }) => ok),
    [true, false],
  )
  const [answer] = answers
  assert.ok(answer?.ok)
  assert.deepEqual(
    (answer.output as { deliveries: { id: string }[] }).deliveries.map(due => due.id),
    [id],
  )
})

test('a clock that was set back delays no delivery', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  testEvent(given)
  given.sendAll(answered(500))
  given.world.wallMs -= 30 * DAY_MS
  given.world.advance(6_000)
  assert.equal(given.exchange().length, 1)
  testEvent(given)
  assert.equal(given.deliveries().length, 2)
})

test('setting the clock forward does not count as time in which a target failed', () => {
  const given = new NotifiedWorld()
  const { world } = given
  given.subscribe()
  const own = () =>
    given.accept({ test: true, notificationUrl: 'https://own.test/', phoneNumber: '+15005550001' })
  const failAll = () => {
    testEvent(given)
    own()
    world.advance(2_000)
    given.sendAll(HUNG)
  }
  // A computer without a battery-backed clock starts at an old time until it is synchronised.
  failAll()
  world.monoMs += 0.25
  world.wallMs += 40 * DAY_MS
  failAll()
  assert.equal(given.setting().enabled, true)
  assert.ok(given.deliveries().every(({ status }) => status === 'pending'))
  assert.ok(Date.parse(given.setting().failingSince ?? '') <= world.wallMs)
  for (let day = 0; day < 5; day += 1) {
    world.advance(DAY_MS)
    failAll()
  }
  assert.equal(given.setting().disabledReason, 'FAILING')
})

test('finished deliveries are removed after their time, pending ones stay', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  testEvent(given)
  given.sendAll(OK)
  const pending = testEvent(given)
  // Moves only the wall clock, because advancing both clocks by weeks is slow.
  given.world.wallMs += NOTIFICATIONS_KEPT_DAYS * DAY_MS - 2 * RETENTION_EVERY_MS
  given.world.ask('clock.confirm', {})
  given.world.advance(RETENTION_EVERY_MS)
  assert.equal(given.deliveries().length, 2)
  given.world.advance(2 * RETENTION_EVERY_MS)
  assert.deepEqual(
    given.deliveries().map(({ id }) => id),
    [pending],
  )
})
