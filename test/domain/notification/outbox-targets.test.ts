import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTIFICATIONS_CANCELLED_MAX } from '#contracts/bounds.ts'
import { NOTIFICATION_LANES_VISITED_MAX } from '#domain/notification/exchange-deliveries.ts'
import {
  NOTIFICATIONS_HELD_OF_ACCOUNT,
  NOTIFICATIONS_HELD_PROVEN,
  NOTIFICATIONS_HELD_UNPROVEN,
  Outbox,
} from '#domain/notification/outbox.ts'
import { DAY_MS } from '#domain/time.ts'
import { answered, HUNG, NotifiedWorld, OK, reports } from '#test/kit/notified-world.ts'

function testEvent(given: NotifiedWorld): string {
  return given.world.ask('notification.test', { accountId: given.accountId }).id
}

test("after five days of failures a message's own URL gets one attempt for each event", () => {
  const given = new NotifiedWorld()
  const { world } = given
  const accept = (path: string) =>
    given.accept({ test: true, notificationUrl: `https://dead.test/${path}`, phoneNumber: '+15005550001' })
  const statuses = () => given.deliveries().map(({ status }) => status)
  for (let day = 0; day < 5; day += 1) {
    accept('first')
    world.advance(5_000)
    given.sendAll(HUNG)
    world.advance(DAY_MS)
  }
  world.restart()
  for (let turn = 0; turn < 20; turn += 1) accept(`later/${turn}`)
  world.advance(5_000)
  given.sendAll(HUNG)
  assert.deepEqual(statuses().toSorted(), [...Array(24).fill('cancelled'), 'failed'])
  accept('next')
  accept('another')
  world.advance(5_000)
  given.sendAll(HUNG)
  assert.deepEqual(statuses().slice(0, 2), ['cancelled', 'failed'])
  accept('well')
  world.advance(5_000)
  given.sendAll(OK)
  accept('ill')
  world.advance(5_000)
  given.sendAll(HUNG)
  assert.deepEqual(statuses().slice(0, 2), ['pending', 'delivered'])
})

test("a message's own URL that answers 410 gets only events of other messages", () => {
  const given = new NotifiedWorld()
  const { world } = given
  const notificationUrl = 'https://gone.test/'
  given.accept({ test: true, notificationUrl })
  world.advance(1_000)
  assert.equal(given.sendAll(answered(410)).length, 1)
  world.advance(10_000)
  assert.deepEqual(given.sendAll(OK), [])
  const [later, first] = given.deliveries()
  assert.deepEqual([later?.event, later?.status, first?.status], ['sms.delivered', 'cancelled', 'failed'])
  world.ask('notification.replay', { accountId: given.accountId, id: later?.id ?? '' })
  assert.equal(given.sendAll(OK).length, 1)
  given.deliver({ notificationUrl })
  assert.equal(given.sendAll(OK).length, 1)
})

test('deliveries to a dead target are cancelled in bounded steps', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const count = NOTIFICATIONS_CANCELLED_MAX + 5
  for (let turn = 0; turn < count; turn += 1) testEvent(given)
  given.world.ask('notification.delete', { accountId: given.accountId })
  const pending = () =>
    given.world.database
      .prepare("SELECT count(*) AS count FROM notification_delivery WHERE status = 'pending'")
      .get()?.['count']
  assert.equal(pending(), 5)
  assert.deepEqual(given.exchange(), [])
  assert.equal(pending(), 0)
})

test('a hanging target holds few deliveries, a healthy one many, and none delays others', () => {
  const given = new NotifiedWorld()
  const origins = ['https://hung.test', 'https://well.test']
  for (const origin of origins)
    for (let turn = 0; turn < 200; turn += 1)
      given.accept({ test: true, notificationUrl: `${origin}/${turn}`, phoneNumber: '+15005550001' })
  given.world.advance(5_000)
  const first = given.exchange()
  assert.equal(first.length, 2 * NOTIFICATIONS_HELD_UNPROVEN)
  const results = first.flatMap(due => reports([due], due.url.startsWith('https://hung') ? HUNG : OK))
  const second = given.exchange(results)
  const ofHung = second.filter(({ url }) => url.startsWith('https://hung'))
  assert.deepEqual([ofHung.length, second.length], [1, 1 + NOTIFICATIONS_HELD_PROVEN])
})

test('the sender holds few deliveries of one account, however many targets it names', () => {
  const given = new NotifiedWorld()
  const { world } = given
  const targets = 2 * NOTIFICATIONS_HELD_OF_ACCOUNT + 5
  for (let origin = 0; origin < targets; origin += 1)
    given.accept({ test: true, notificationUrl: `https://t${origin}.test/` })
  const other = world.ask('account.create', { email: 'b@example.org', plan: 'pro', passwordHash: null })
  given.accept({ accountId: other.accountId, test: true, notificationUrl: 'https://other.test/' })
  world.advance(1_000)
  const isOther = ({ url }: { readonly url: string }) => url === 'https://other.test/'
  const first = given.exchange()
  assert.equal(first.filter(isOther).length, 1)
  assert.equal(first.length, NOTIFICATIONS_HELD_OF_ACCOUNT + 1)
  const seen = new Set(first.map(({ url }) => url))
  for (let due = first; due.length > 0; ) {
    due = given.exchange(reports(due, HUNG))
    for (const { url } of due) seen.add(url)
    assert.ok(due.length <= NOTIFICATIONS_HELD_OF_ACCOUNT)
  }
  assert.equal(seen.size, targets + 1)
})

test('with less room than targets, every target gets its turn', () => {
  const given = new NotifiedWorld()
  for (let origin = 0; origin < 10; origin += 1)
    for (let turn = 0; turn < 5; turn += 1)
      given.accept({ test: true, notificationUrl: `https://t${origin}.test/`, phoneNumber: '+15005550001' })
  given.world.advance(5_000)
  const seen = new Set<string>()
  for (let turn = 0; turn < 10; turn += 1) {
    const due = given.exchange([], 4)
    for (const { url } of due) seen.add(url)
    given.exchange(reports(due, OK), 0)
  }
  assert.equal(seen.size, 10)
})

test('targets that wait for a retry do not delay a target with a due delivery', () => {
  const given = new NotifiedWorld()
  const { world } = given
  const accept = (name: string) => given.accept({ test: true, notificationUrl: `https://${name}.test/` })
  accept('a')
  world.advance(2_000)
  given.sendAll(answered(500))
  const others = 3 * NOTIFICATION_LANES_VISITED_MAX
  // Copies of the failed row, each with a different origin.
  world.database.exec(`
    INSERT INTO notification_delivery (id, account_id, event, subject_id, own_url, lane, body, created_at,
      status, attempts, tries, next_at, log)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${others})
    SELECT 'evt_' || i, account_id, event, 'msg_' || i, own_url, '0 ' || i, body, created_at,
      status, attempts, tries, next_at + 3600000, log FROM n, notification_delivery WHERE attempts = 1`)
  world.restart()
  accept('z')
  world.advance(1_000)
  const urls = given.exchange().map(({ url }) => url)
  assert.ok(urls.includes('https://z.test/'), `only ${urls}`)
})

test('lanes that wait for a place of their account try again once it holds nothing', () => {
  const outbox = new Outbox()
  outbox.agenda.load([])
  const accountId = 'acc_1'
  const hold = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) =>
      outbox.hold(`evt_${from + at}`, { lane: `lane_${from + at}`, accountId }),
    )
  const most = NOTIFICATIONS_HELD_OF_ACCOUNT
  assert.ok(hold(most).every(isHeld => isHeld))
  assert.ok(hold(most + 8, most).every(isHeld => !isHeld))
  for (let at = 0; at < most; at++) outbox.release(`evt_${at}`)
  const ready = new Set<string>()
  for (let lane = outbox.agenda.next(0); lane !== undefined; lane = outbox.agenda.next(0)) ready.add(lane)
  assert.equal(ready.size, 2 * most + 8)
})
