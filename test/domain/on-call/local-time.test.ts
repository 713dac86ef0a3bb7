import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localDay, wallMsOf } from '#domain/on-call/local-time.ts'
import { DAY_MS } from '#domain/time.ts'
import { localWords } from '#test/kit/local-clock.ts'

/** A local time on a day when clocks change, and when it is. */
const CHANGES: readonly [string, string, string, string][] = [
  ['a skipped hour is an hour later', 'Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
  ['a doubled hour is the first one', 'Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
  ['the hour before is as always', 'Europe/Berlin', '2026-10-25 01:59', '2026-10-24T23:59:00.000Z'],
  ['the hour after is as always', 'Europe/Berlin', '2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
  ['a skipped half hour', 'Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00.000Z'],
  ['a doubled half hour', 'Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
  ['an hour skipped at midnight', 'America/Nuuk', '2026-03-28 23:30', '2026-03-29T01:30:00.000Z'],
  ['the end of Ramadan', 'Africa/Casablanca', '2026-03-22 02:30', '2026-03-22T02:30:00.000Z'],
]

for (const [name, zone, local, instant] of CHANGES) {
  test(`${name}: ${local} in ${zone} is ${instant}`, () => {
    const day = Date.parse(local.slice(0, 10)) / DAY_MS
    assert.equal(new Date(wallMsOf(day, local.slice(11), zone)).toISOString(), instant)
  })
}

test('every time zone that a person may name has local times', () => {
  const atMs = Date.UTC(2026, 5, 15, 12)
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC', 'utc', 'GMT', 'EST5EDT', 'US/Eastern']) {
    const words = localWords(atMs, zone)
    assert.equal(localDay(atMs, zone), Date.parse(words.slice(0, 10)) / DAY_MS, zone)
    assert.equal(wallMsOf(localDay(atMs, zone), words.slice(11, 16), zone), atMs, zone)
  }
})
