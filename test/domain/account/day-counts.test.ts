import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DayCounts, describeDay, QUARTER_MS } from '#domain/account/day-counts.ts'
import { DAY_MS } from '#domain/time.ts'
import { openDayCountReader, openDayCountStore } from '#storage/day-counts.ts'
import { Transactor } from '#storage/transaction.ts'
import { CodeWorld } from '#test/kit/code-world.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'
import { readDays } from '#transport/http/routes/usage-days.ts'

test('a day adds up the outcomes of its messages, without the sandbox', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const send = () => acceptedIn(world.ask('message.accept', messageToAccept(world.accountId))).messageId
  const ids = [send(), send(), send()]
  world.issue({ test: true })
  for (const id of ids) world.sendFrame({ type: 'begin', messageId: id, attempt: 1 })
  world.advance(1500)
  world.report(ids[0] ?? '', 'sent')
  world.report(ids[1] ?? '', 'sent')
  world.report(ids[1] ?? '', 'delivered')
  world.report(ids[1] ?? '', 'delivered')
  world.report(ids[2] ?? '', 'failed', 'PERMANENT')
  world.sendFrame({ type: 'received', id: 'r', from: 'x', message: 'y', at: null, simSlot: null })
  const range = { days: 1, timeZone: 'UTC', wallMs: world.wallMs }
  const [today] = readDays(openDayCountReader(world.database), world.accountId, range)
  assert.ok(today)
  const { deliveryMs, deliveredWithin, ...counts } = today
  assert.deepEqual(counts, {
    ...{ day: '2026-01-15', accepted: 3, delivered: 1, sent: 1, failed: 1 },
    ...{ received: 1, twoFactor: 0, alerts: 0 },
  })
  assert.deepEqual(deliveryMs, { p50: 1500, p95: 1950 })
  assert.deepEqual(deliveredWithin, { s5: 1, s30: 1, s300: 1 })
  assert.deepEqual(describeDay(0).deliveryMs, { p50: null, p95: null })
})

/** Days that are longer or shorter: the clocks change by an hour, by half an hour, at midnight. */
const LONG_AND_SHORT = [
  ['Europe/Berlin', '2026-03-28', [96, 92, 96]],
  ['Europe/Berlin', '2026-10-24', [96, 100, 96]],
  ['Australia/Lord_Howe', '2026-04-04', [96, 98, 96]],
  ['Africa/Cairo', '2026-04-23', [96, 92, 96]],
  ['Africa/Cairo', '2026-10-29', [100, 96, 96]],
  ['Asia/Kathmandu', '2026-10-24', [96, 96, 96]],
  ['UTC', '2026-10-24', [96, 96, 96]],
] as const

test('days are those of the time zone, also when the clocks change', () => {
  const world = new TestWorld()
  const accountId = world.ask('gateway.first-start', {})?.accountId ?? ''
  const counts = new DayCounts(openDayCountStore(world.database))
  const read = openDayCountReader(world.database)
  // One text in each quarter-hour of the year.
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += QUARTER_MS)
    counts.receive(accountId, at)
  new Transactor(world.database).transact(tx => counts.flush(tx))
  for (const [timeZone, first, received] of LONG_AND_SHORT) {
    const wallMs = Date.parse(`${first}T12:00Z`) + 2 * DAY_MS
    const days = readDays(read, accountId, { days: 3, timeZone, wallMs })
    assert.equal(days[0]?.day, first)
    assert.deepEqual(
      days.map(day => day.received),
      received,
      timeZone,
    )
  }
  const justPast = Date.UTC(2026, 5, 1, 18, 30)
  const days = readDays(read, accountId, { days: 1, timeZone: 'Asia/Kathmandu', wallMs: justPast })
  assert.equal(days[0]?.day, '2026-06-02', 'in Kathmandu it is 00:15')
})
