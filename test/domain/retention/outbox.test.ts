import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#domain/time.ts'
import { HOOK, NotifiedWorld, OK } from '#test/kit/notified-world.ts'

const NUMBER = '+15005550001'
const HOUR_MS = 3_600_000

/** Days of the wall clock, and the hourly look at what is too old. */
function passDays({ world }: NotifiedWorld, days: number): void {
  world.wallMs += days * DAY_MS
  world.advance(HOUR_MS)
}

/** How many events name the number or the text. */
function telling({ world }: NotifiedWorld, text: string): unknown {
  return world.database
    .prepare('SELECT count(*) AS n FROM notification_delivery WHERE instr(body, ?) > 0')
    .get(text)?.['n']
}

test('with the number of a message go the events that have it, sent or not, however young they are', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  const ownUrl = { phoneNumber: NUMBER, notificationUrl: `${HOOK}/own` }
  given.deliver({ phoneNumber: NUMBER })
  given.deliver(ownUrl)
  const [sent] = given.sendAll(OK)
  assert.ok(sent)
  const rows = Number(telling(given, NUMBER))
  assert.ok(rows > 1)
  given.world.database.exec(
    `UPDATE notification_delivery SET created_at = ${given.world.wallMs + 80 * DAY_MS}`,
  )
  passDays(given, 89)
  assert.equal(telling(given, NUMBER), rows)
  passDays(given, 1)
  assert.equal(telling(given, NUMBER), 0)
})

test('an attempt that was under way when its event went is reported to nobody', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.deliver({ phoneNumber: NUMBER })
  const [held] = given.exchange()
  assert.ok(held)
  passDays(given, 91)
  const { id, url } = held
  assert.deepEqual(given.exchange([{ id, url, result: OK, random: 0 }]), [])
})

test('with a received text go the events that have it', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.connect()
  given.sendAll(OK)
  const received = { type: 'received', id: 'r1', from: NUMBER, at: null, simSlot: null } as const
  given.says({ ...received, message: 'for my eyes only' })
  assert.equal(telling(given, 'for my eyes only'), 1)
  passDays(given, 91)
  assert.equal(telling(given, 'for my eyes only'), 0)
  assert.notEqual(given.deliveries().length, 0, 'what the phone itself did is told by its own time')
})

test('the events of a message are found by an index', () => {
  const { world } = new NotifiedWorld()
  for (const status of ["= 'pending'", "<> 'pending'"]) {
    const sql = `DELETE FROM notification_delivery WHERE subject_id = 'x' AND status ${status}`
    const plan = world.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).get()?.['detail']
    assert.match(String(plan), /USING.*INDEX notification_delivery_(subject|told)/)
  }
})
