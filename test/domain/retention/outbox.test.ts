import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#domain/time.ts'
import { HOOK, NotifiedWorld } from '#test/kit/notified-world.ts'

const NUMBER = '+15005550001'
const HOUR_MS = 3_600_000

/** Moves the wall clock by days, confirms it, and runs the hourly retention. */
function passDays({ world }: NotifiedWorld, days: number): void {
  world.wallMs += days * DAY_MS
  world.ask('clock.confirm', {})
  world.advance(HOUR_MS)
}

/** The number of events that contain this text. */
function eventsWith({ world }: NotifiedWorld, text: string): unknown {
  return world.database
    .prepare('SELECT count(*) AS n FROM notification_delivery WHERE instr(body, ?) > 0')
    .get(text)?.['n']
}

/** Makes all events eighty days younger, so that none is removed because of its own age. */
function makeYounger({ world }: NotifiedWorld): void {
  world.database.exec(`UPDATE notification_delivery SET created_at = ${world.wallMs + 80 * DAY_MS}`)
}

test('events that contain a removed number are removed with it, whatever their age', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.deliver({ phoneNumber: NUMBER })
  given.sendEverything()
  const rows = Number(eventsWith(given, NUMBER))
  assert.ok(rows > 0)
  makeYounger(given)
  passDays(given, 89)
  assert.equal(eventsWith(given, NUMBER), rows)
  passDays(given, 1)
  assert.equal(eventsWith(given, NUMBER), 0)
})

test('a pending event is sent first, and then removed with its message', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.deliver({ phoneNumber: NUMBER, notificationUrl: `${HOOK}/own` })
  const rows = Number(eventsWith(given, NUMBER))
  assert.ok(rows > 0)
  passDays(given, 91)
  assert.equal(eventsWith(given, NUMBER), rows)
  given.sendEverything()
  passDays(given, 0)
  assert.equal(eventsWith(given, NUMBER), 0)
})

test('events that contain a removed received text are removed with it', () => {
  const given = new NotifiedWorld()
  given.subscribe()
  given.connect()
  const received = { type: 'received', id: 'r1', from: NUMBER, at: null, simSlot: null } as const
  given.sendFrame({ ...received, message: 'for my eyes only' })
  given.sendEverything()
  assert.equal(eventsWith(given, 'for my eyes only'), 1)
  makeYounger(given)
  passDays(given, 91)
  assert.equal(eventsWith(given, 'for my eyes only'), 0)
  assert.notEqual(given.deliveries().length, 0, 'events about the phone itself stay for their own time')
})
