import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rota, RotaOverride } from '#domain/on-call/on-call-store.ts'
import { anchorFor, nextOnCall, onCallAt, turnsFrom } from '#domain/on-call/turns.ts'
import { daysBegun, localWords, ODD_ZONES, reaches } from '#test/kit/local-clock.ts'
import { Random } from '#test/kit/random.ts'
import { sized } from '#test/kit/test-size.ts'

const HOUR_MS = 3_600_000
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5, 8)

const weekly: Rota = {
  id: 'rot_1',
  accountId: 'acc_1',
  name: 'Night',
  people: ['ada', 'bob', 'cy'],
  days: 7,
  handover: 'mon 09:00',
  timeZone: 'Europe/Berlin',
  anchorAt: MONDAY,
  overrides: [],
  createdAt: 0,
}

/** Overrides in the order of their making: who, and from and until which hour after Monday, 09:00. */
function standIns(...spans: [personId: string, from: number, until: number][]): RotaOverride[] {
  return spans.map(([personId, from, until], i) => {
    return { id: `ovr_${i}`, personId, from: MONDAY + from * HOUR_MS, until: MONDAY + until * HOUR_MS }
  })
}

function hourOf({ handover }: Rota): string {
  return handover.slice(4)
}

/** The number of the turn, from calendar dates alone. */
function turnOf(rota: Rota, atMs: number, zone: string): number {
  const at = { hour: hourOf(rota), zone }
  return Math.floor((daysBegun(atMs, at) - daysBegun(rota.anchorAt, at)) / rota.days)
}

function personOf({ people }: Rota, turn: number): string | undefined {
  return people.at(turn % people.length)
}

function expectedAt(rota: Rota, atMs: number, zone: string): string | undefined {
  const covering = rota.overrides.filter(({ from, until }) => from <= atMs && atMs < until)
  return covering.at(-1)?.personId ?? personOf(rota, turnOf(rota, atMs, zone))
}

function randomRota(random: Random, zone: string, atMs: number): Rota {
  const people = ['ada', 'bob', 'cy', 'dan', 'eve'].slice(0, 1 + random.below(5))
  const hour = `${String(random.below(24)).padStart(2, '0')}:00`
  const handover = `${random.pick(WEEKDAYS)} ${hour}`
  const days = random.chance(0.5) ? 7 * (1 + random.below(4)) : 1 + random.below(28)
  const rota = { ...weekly, people, days, handover, timeZone: random.chance(0.5) ? zone : null }
  const anchorAt = anchorFor(rota, atMs, zone)
  const overrides = Array.from({ length: random.below(5) }, (_, i) => {
    const from = atMs + Math.round(random.between(-20, 40) * 24) * HOUR_MS
    const until = from + (1 + random.below(30 * 24)) * HOUR_MS
    return { id: `ovr_${i}`, personId: random.pick(['ada', 'bob', 'zoe']), from, until }
  })
  return { ...rota, anchorAt, overrides }
}

for (const zone of ODD_ZONES) {
  test(`turns in ${zone} begin at their local hour through three years of changing clocks`, () => {
    for (const [seed, handover] of ['mon 09:00', 'sun 02:00', 'fri 00:00', 'sat 23:00'].entries()) {
      const random = new Random(seed)
      const days = random.pick([1, 2, 7, 7, 10, 14])
      const rota = { ...weekly, handover, days, timeZone: null }
      const placed = { ...rota, anchorAt: anchorFor(rota, Date.UTC(2026, 0, 1), zone) }
      const step = sized(37, 1) * HOUR_MS
      for (let atMs = Date.UTC(2026, 0, 1, seed); atMs < Date.UTC(2029, 0, 1); atMs += step) {
        const { personId, until } = onCallAt(placed, atMs, zone)
        const where = `${handover}, ${days} days, at ${new Date(atMs).toISOString()}`
        assert.equal(personId, expectedAt(placed, atMs, zone), where)
        assert.ok(until > atMs && reaches(until, { hour: hourOf(rota), zone }), `${where} until ${until}`)
        assert.equal(turnOf(placed, until, zone), turnOf(placed, atMs, zone) + 1, where)
      }
    }
  })
}

for (const zone of ODD_ZONES) {
  test(`random rotas in ${zone} have the person on call whom the calendar and the overrides say`, () => {
    for (let seed = 1; seed <= sized(60, 3000); seed++) {
      const random = new Random(seed)
      const madeAt = Date.UTC(2026, random.below(36), 1 + random.below(28), random.below(24))
      const rota = randomRota(random, zone, madeAt)
      const atMs = madeAt + random.below(60 * 24) * HOUR_MS
      const { personId, until } = onCallAt(rota, atMs, zone)
      const why = `seed ${seed}`
      assert.equal(personId, expectedAt(rota, atMs, zone), why)
      const between = [0, 0, 0].map(() => Math.floor(random.between(atMs, until)))
      for (const at of [...between, until - 1]) assert.equal(expectedAt(rota, at, zone), personId, why)
      const isHandover = turnOf(rota, until, zone) === turnOf(rota, atMs, zone) + 1
      assert.ok(isHandover || expectedAt(rota, until, zone) !== personId, why)

      const others = rota.people.map((_, i) => personOf(rota, turnOf(rota, atMs, zone) + 1 + i))
      const next = others.find(id => id !== personId) ?? null
      assert.equal(nextOnCall(rota, atMs, zone), next, why)

      const turns = turnsFrom(rota, { atMs, turns: 3, machineZone: zone })
      assert.ok((turns[0]?.from ?? Number.NaN) <= atMs, why)
      const last = turns.at(-1)?.until ?? Number.NaN
      assert.equal(turnOf(rota, last, zone), turnOf(rota, atMs, zone) + 3, why)
      for (const [i, { from, until: end, ...duty }] of turns.entries()) {
        const at = Math.floor(random.between(from, end))
        assert.equal(duty.personId, expectedAt(rota, at, zone), why)
        assert.equal(duty.isOverride, duty.personId !== personOf(rota, turnOf(rota, at, zone)), why)
        assert.ok(end > from && (i === 0 || from === turns[i - 1]?.until), why)
      }
    }
  })

  test(`a changed rota in ${zone} leaves on call whoever is, if they are still in it`, () => {
    for (let seed = 1; seed <= sized(60, 3000); seed++) {
      const random = new Random(seed)
      const madeAt = Date.UTC(2026, random.below(36), 1 + random.below(28), random.below(24))
      const before = { ...randomRota(random, zone, madeAt), overrides: [] }
      assert.equal(onCallAt(before, madeAt, zone).personId, before.people[0], `seed ${seed}`)

      const atMs = madeAt + random.below(60 * 24) * HOUR_MS
      const { people, days, handover, timeZone } = randomRota(random, zone, atMs)
      const isSameGrid = random.chance(0.5)
      const changed = { ...before, people, ...(!isSameGrid && { days, handover, timeZone }) }
      const after = { ...changed, anchorAt: anchorFor({ ...changed, before }, atMs, zone) }
      const turn = turnOf(before, atMs, zone)
      const kept = before.people.map((_, i) => personOf(before, turn + i) ?? '')
      assert.equal(
        onCallAt(after, atMs, zone).personId,
        kept.find(id => people.includes(id)),
        `seed ${seed}`,
      )
      const { until } = onCallAt(after, atMs, zone)
      if (isSameGrid) assert.equal(until, onCallAt(before, atMs, zone).until, `seed ${seed}`)
      assert.ok(reaches(after.anchorAt, { hour: hourOf(after), zone }), `seed ${seed}`)
      const weekday = localWords(after.anchorAt, zone).slice(17).toLowerCase()
      if (after.days % 7 === 0) assert.equal(weekday, after.handover.slice(0, 3), `seed ${seed}`)
    }
  })
}

test('of overlapping overrides the newest counts, and then the older one again', () => {
  const overrides = standIns(['bob', 2, 12], ['cy', 4, 6], ['zoe', 5, 8], ['ada', 10, 11])
  const duties = turnsFrom({ ...weekly, overrides }, { atMs: MONDAY, turns: 1, machineZone: 'UTC' })
  assert.deepEqual(
    duties.map(({ personId, from, until, isOverride }) => {
      return [personId, (from - MONDAY) / HOUR_MS, (until - MONDAY) / HOUR_MS, isOverride]
    }),
    [
      ['ada', 0, 2, false],
      ['bob', 2, 4, true],
      ['cy', 4, 5, true],
      ['zoe', 5, 8, true],
      ['bob', 8, 10, true],
      ['ada', 10, 11, false],
      ['bob', 11, 12, true],
      ['ada', 12, 168, false],
    ],
  )
})

test('an override that changes nobody does not end the time on call', () => {
  const overrides = standIns(['ada', 2, 4], ['bob', 4, 6], ['bob', 6, 8])
  const rota = { ...weekly, overrides }
  assert.equal(onCallAt(rota, MONDAY, 'UTC').until, MONDAY + 4 * HOUR_MS)
  assert.equal(onCallAt(rota, MONDAY + 5 * HOUR_MS, 'UTC').until, MONDAY + 8 * HOUR_MS)
})

test('an override over a handover is on call until the handover, and then again', () => {
  const rota = { ...weekly, overrides: standIns(['zoe', 160, 180]) }
  const handover = MONDAY + 168 * HOUR_MS
  assert.deepEqual(onCallAt(rota, handover - 1, 'UTC'), { personId: 'zoe', until: handover })
  assert.deepEqual(onCallAt(rota, handover, 'UTC'), { personId: 'zoe', until: handover + 12 * HOUR_MS })
})

test('next is whoever follows in the order and is not on call already', () => {
  const overrides = standIns(['bob', 1, 2], ['zoe', 2, 3])
  const next = (rota: Rota, hour: number) => nextOnCall(rota, MONDAY + hour * HOUR_MS, 'UTC')
  assert.deepEqual(
    [0, 1, 2].map(hour => next({ ...weekly, overrides }, hour)),
    ['bob', 'cy', 'bob'],
  )
  const alone = { ...weekly, people: ['ada'], overrides }
  assert.deepEqual(
    [0, 1, 2].map(hour => next(alone, hour)),
    [null, 'ada', 'ada'],
  )
})

test('before its anchor a rota runs the same turns backwards', () => {
  const week = 168 * HOUR_MS
  const people = [0, 1, 2, 3].map(back => onCallAt(weekly, MONDAY - back * week, 'UTC').personId)
  assert.deepEqual(people, ['ada', 'cy', 'bob', 'ada'])
})

test('a rota without a zone follows a machine that moves: same weekday, same local hour', () => {
  const rota = { ...weekly, timeZone: null }
  for (const zone of ['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    const { personId, until } = onCallAt(rota, MONDAY + 72 * HOUR_MS, zone)
    assert.deepEqual([personId, localWords(until, zone)], ['ada', '2026-01-12 09:00 Mon'])
  }
})

test('the first turn of a new rota began at the last handover, however long turns are', () => {
  for (const days of [7, 14, 28]) {
    const rota = { ...weekly, days }
    assert.equal(anchorFor(rota, MONDAY + 120 * HOUR_MS, 'UTC'), MONDAY)
  }
})

test('a turn that began at midnight goes on when the clocks then go back to the day before', () => {
  const atMs = Date.parse('2010-11-07T02:45Z')
  const rota = { ...weekly, handover: 'sun 00:00', timeZone: 'America/St_Johns' }
  assert.equal(localWords(atMs, rota.timeZone), '2010-11-06 23:15 Sat')
  const { personId, until } = onCallAt(rota, atMs, 'UTC')
  assert.equal(personId, onCallAt(rota, atMs + HOUR_MS, 'UTC').personId)
  assert.equal(localWords(until, rota.timeZone), '2010-11-14 00:00 Sun')
})
