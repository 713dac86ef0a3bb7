import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_SEVERITIES } from '#contracts/webhook.ts'
import type { QuietHours } from '#domain/on-call/on-call-store.ts'
import { quietUntil } from '#domain/on-call/quiet-until.ts'
import { localWords, ODD_ZONES, reaches } from '#test/kit/local-clock.ts'
import { sized } from '#test/kit/test-size.ts'

const HOUR_MS = 3_600_000
const night: QuietHours = { from: '22:00', to: '07:00', below: 'critical' }
const berlin = 'Europe/Berlin'

/** When the quiet of a person in Berlin ends who is told of a warning at this time, ISO 8601. */
function endOf(quiet: QuietHours, at: string): string | null {
  const facts = { severity: 'warning', atMs: Date.parse(at), machineZone: 'America/New_York' } as const
  const until = quietUntil({ quiet, timeZone: berlin }, facts)
  return until === null ? null : new Date(until).toISOString()
}

for (const zone of ODD_ZONES) {
  test(`quiet hours in ${zone} are what the clock on the wall says, hour by hour for three years`, () => {
    const spans = [
      ['22:00', '07:00'],
      ['00:00', '06:00'],
      ['02:00', '03:00'],
      ['12:00', '02:00'],
      ['23:00', '00:00'],
    ] as const
    for (const [i, [from, to]] of spans.entries()) {
      const quiet = { from, to, below: 'critical' } as const
      for (let atMs = Date.UTC(2026, 0, 1, i); atMs < Date.UTC(2029, 0, 1); atMs += sized(37, 1) * HOUR_MS) {
        const clock = localWords(atMs, zone).slice(11, 16)
        const isQuiet = from < to ? from <= clock && clock < to : from <= clock || clock < to
        const until = quietUntil({ quiet, timeZone: null }, { severity: 'info', atMs, machineZone: zone })
        const where = `${from} to ${to} at ${new Date(atMs).toISOString()}`
        assert.equal(until !== null, isQuiet, where)
        if (until === null) continue
        assert.ok(until > atMs && until - atMs < 26 * HOUR_MS && reaches(until, { hour: to, zone }), where)
      }
    }
  })
}

test('only what is milder than the setting waits; what is critical or unknown never does', () => {
  const atMs = Date.parse('2026-01-10T23:00Z')
  const waiting = (below: QuietHours['below']) =>
    [...ALERT_SEVERITIES, null].filter(severity => {
      const person = { quiet: { ...night, below }, timeZone: berlin }
      return quietUntil(person, { severity, atMs, machineZone: 'UTC' }) !== null
    })
  assert.deepEqual(waiting('warning'), ['info'])
  assert.deepEqual(waiting('critical'), ['info', 'warning'])
  assert.equal(
    quietUntil({ quiet: null, timeZone: null }, { severity: 'info', atMs, machineZone: 'UTC' }),
    null,
  )
})

test('a night begins on its minute, passes midnight and ends on its minute', () => {
  const end = '2026-01-11T06:00:00.000Z'
  assert.equal(endOf(night, '2026-01-10T20:59:59.999Z'), null)
  assert.equal(endOf(night, '2026-01-10T21:00Z'), end)
  assert.equal(endOf(night, '2026-01-11T05:59:59.999Z'), end)
  assert.equal(endOf(night, end), null)
})

test('a night in which the clocks change ends at its hour', () => {
  assert.equal(endOf(night, '2026-03-28T21:00Z'), '2026-03-29T05:00:00.000Z')
  assert.equal(endOf(night, '2026-10-24T20:00Z'), '2026-10-25T06:00:00.000Z')
})

test('quiet that ends at a skipped time ends as much later, and at a doubled one the first time', () => {
  const early: QuietHours = { ...night, to: '02:30' }
  assert.equal(endOf(early, '2026-03-29T01:29Z'), '2026-03-29T01:30:00.000Z')
  assert.equal(endOf(early, '2026-03-29T01:30Z'), null)
  assert.equal(endOf(early, '2026-10-25T00:29Z'), '2026-10-25T00:30:00.000Z')
  assert.equal(endOf(early, '2026-10-25T01:15Z'), null)
})

test('quiet that is skipped as a whole holds back nothing', () => {
  const gap: QuietHours = { ...night, from: '02:00', to: '03:00' }
  for (const minute of ['00:59', '01:00', '01:30', '01:59'])
    assert.equal(endOf(gap, `2026-03-29T${minute}Z`), null)
})

test('quiet that began at midnight goes on when the clocks then go back to the day before', () => {
  const quiet: QuietHours = { ...night, from: '00:00', to: '06:00' }
  const facts = {
    severity: 'info',
    atMs: Date.parse('2010-11-07T02:45Z'),
    machineZone: 'America/St_Johns',
  } as const
  assert.equal(quietUntil({ quiet, timeZone: null }, facts), Date.parse('2010-11-07T09:30Z'))
})
