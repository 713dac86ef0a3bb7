import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DRILL_OUTCOMES } from '#contracts/drill.ts'
import type { Drill, StoredPlan } from '#domain/drill/drill.ts'
import { codesIn, maskedDrillText, withDrillCode } from '#domain/drill/drill-text.ts'
import { judgeDrills } from '#domain/drill/judge-drills.ts'
import { languageOf } from '#domain/language.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { localDay } from '#domain/on-call/local-time.ts'
import { lastSlot, nextSlot, spreadMs } from '#domain/sending/drill-slots.ts'
import { systemSource } from '#storage/source.ts'
import { TEST_CODE_KEY } from '#test/kit/world.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const dayOf = (date: string) => Date.parse(date) / DAY
const ID = 'dev_01KF0RDQG0KDHP0BMA8JBZ5GQZ'

function plan(different: Partial<StoredPlan> & { readonly made?: string }): StoredPlan {
  const { made = '2026-01-15', ...fields } = different
  return { every: 'day', at: '10:00', to: null, simSlot: null, madeAt: 0, madeDay: dayOf(made), ...fields }
}

/** The local dates of all times of a plan in a year, and how each local time reads. */
function year(planned: StoredPlan, zone: string) {
  const slots: { day: number; at: number }[] = []
  const where = { deviceId: ID, zone }
  const end = Date.UTC(2027, 0, 1)
  for (let at = Date.UTC(2026, 0, 1); ; ) {
    const slot = nextSlot(planned, where, at)
    if (slot.at >= end) return slots
    slots.push(slot)
    at = slot.at
  }
}

suite('times of planned drills', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'])
    for (const at of ['10:00', '02:30', '00:00', '23:55', '03:10'])
      test(`at ${at} in ${zone} are one for each local date of a year`, () => {
        const slots = year(plan({ at }), zone)
        assert.ok(slots.length >= 364 && slots.length <= 366)
        for (const [place, slot] of slots.entries()) {
          const before = slots[place - 1]
          if (before !== undefined) assert.equal(slot.day, before.day + 1)
          // What was due is found again from any time until the next one.
          assert.deepEqual(lastSlot(plan({ at }), { deviceId: ID, zone }, slot.at), slot)
          assert.deepEqual(lastSlot(plan({ at }), { deviceId: ID, zone }, slot.at + DAY / 2), slot)
          assert.equal(localDay(slot.at - spreadMs(ID), zone), slot.day)
        }
      })

  test('an hour that does not exist runs as much later', () => {
    const [slot] = [
      nextSlot(plan({ at: '02:30' }), { deviceId: ID, zone: 'Europe/Berlin' }, Date.UTC(2026, 2, 28, 12)),
    ]
    assert.equal(slot.at - spreadMs(ID), Date.parse('2026-03-29T03:30:00+02:00'))
  })

  test('of weeks and months are on the day on which the plan was made; 29 to 31 mean the last day', () => {
    const days = (planned: StoredPlan) =>
      year(planned, 'Europe/Berlin').map(({ day }) => new Date(day * DAY).toISOString().slice(5, 10))
    assert.deepEqual(days(plan({ every: 'week' })).slice(0, 4), ['01-01', '01-08', '01-15', '01-22'])
    assert.equal(
      days(plan({ every: 'month' })).join(' '),
      '01-15 02-15 03-15 04-15 05-15 06-15 07-15 08-15 09-15 10-15 11-15 12-15',
    )
    const last = '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'
    for (const made of ['2026-01-29', '2026-01-30', '2026-01-31', '2027-04-30'])
      assert.equal(days(plan({ every: 'month', made })).join(' '), last)
    assert.equal(
      days(plan({ every: 'month', made: '2026-02-28' }))
        .join(' ')
        .slice(0, 11),
      '01-28 02-28',
    )
  })

  test('before the plan was made are not due', () => {
    const at = Date.UTC(2026, 0, 15, 11)
    assert.equal(lastSlot(plan({ madeAt: at }), { deviceId: ID, zone: 'UTC' }, at + MINUTE), null)
  })

  test('of many phones spread over ten minutes, always the same for each', () => {
    const source = systemSource(TEST_CODE_KEY)
    const spread = Array.from({ length: 1000 }, () => spreadMs(source.id('dev_', Date.UTC(2026, 0, 1))))
    assert.ok(Math.min(...spread) >= 0 && Math.max(...spread) < 10 * MINUTE)
    assert.ok(new Set(spread).size > 400)
    assert.equal(spreadMs(ID), spreadMs(ID))
  })
})

suite('the verdict', () => {
  type Judged = Pick<Drill, 'outcome' | 'role' | 'deviceId' | 'toDeviceId'>
  const judged = (role: Drill['role'], outcome: Drill['outcome'], toDeviceId = 'dev_b'): Judged => ({
    role,
    outcome,
    deviceId: 'dev_a',
    toDeviceId,
  })

  test('names a half only where something tells, and the truth is never the other half', () => {
    for (const sends of [true, false])
      for (const receives of [true, false]) {
        if (sends && receives) continue
        const series = [
          judged('repeat', 'sent_not_received'),
          judged('out', sends ? 'proven' : 'sent_not_received'),
          judged('in', receives ? 'proven' : 'sent_not_received'),
        ]
        const half = judgeDrills(series)
        assert.equal(half, sends ? 'receiving' : receives ? 'sending' : 'either')
      }
  })

  test('is made in every case of a failed repeat, and in no other', () => {
    for (const repeat of [...DRILL_OUTCOMES, null])
      for (const out of [...DRILL_OUTCOMES, null])
        for (const back of [...DRILL_OUTCOMES, null]) {
          const half = judgeDrills([judged('repeat', repeat), judged('out', out), judged('in', back)])
          const hasFailed = repeat === 'not_sent' || repeat === 'sent_not_received' || repeat === 'late'
          assert.equal(half !== null, hasFailed)
          if (half === 'receiving') assert.ok(out === 'proven' && back !== 'proven' && repeat !== 'not_sent')
          if (half === 'sending') assert.ok(out !== 'proven' && (back === 'proven' || repeat === 'not_sent'))
        }
    assert.equal(judgeDrills([judged('repeat', 'sent_not_received', 'dev_a')]), 'own')
    assert.equal(judgeDrills([judged('repeat', 'not_sent', 'dev_a')]), 'sending')
  })
})

suite('the text of a drill', () => {
  test('is one GSM-7 segment in every language, and its code is found in any case', () => {
    for (const language of ['en', 'de'] as const) {
      const text = withDrillCode(maskedDrillText(languageOf(language)), '7F3K2Q9M')
      assert.match(text, /^Roost drill 7F3K2Q9M: /)
      assert.deepEqual(segmentsOf(text), { segments: 1, encoding: 'GSM-7' })
      assert.deepEqual(codesIn(text), ['7F3K2Q9M'])
      assert.deepEqual(codesIn(`FW: ${text.toLowerCase()}`), ['7F3K2Q9M'])
    }
    const others = ['7F3K2Q9', '7F3K2Q9MX', 'x7F3K2Q9M', 'ILOU1234', '7F3K 2Q9M']
    for (const text of others) assert.deepEqual(codesIn(text), [])
  })

  test('cannot be guessed: four tries a text, 60 texts a minute of a phone, and 2^40 codes', () => {
    assert.equal(codesIn('7F3K2Q9M '.repeat(177)).length, 4)
    const source = systemSource(TEST_CODE_KEY)
    const codes = Array.from({ length: 20_000 }, () => source.drillCode())
    // Of 2^40 codes two may be the same once in some thousand runs, four never.
    assert.ok(new Set(codes).size >= codes.length - 1)
    // At each place the 32 signs are equally likely. A generator without one sign gives more than 600 here; a
    // right one above 130 not once in a billion runs.
    for (let place = 0; place < 8; place++) {
      const counts = new Map<string, number>()
      for (const code of codes) counts.set(code[place] ?? '', (counts.get(code[place] ?? '') ?? 0) + 1)
      const expected = codes.length / 32
      const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      assert.ok(counts.size === 32 && chi < 130, `place ${place}: ${chi}`)
    }
    // Half an hour of one drill, with the burst of a phone that was offline.
    const tries = 4 * (500 + 60 * 30)
    assert.ok(tries / 2 ** 40 < 1e-8)
  })
})
