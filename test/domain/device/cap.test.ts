import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthStart, segmentsInMonth, segmentsLeft, segmentsOnDay, withSegments } from '#domain/device/cap.ts'
import { dayOf } from '#domain/time.ts'

const day = (date: string) => dayOf(Date.parse(date))
const starts = (date: string, startsOn: number) =>
  new Date(monthStart(day(date), startsOn) * 86_400_000).toISOString().slice(0, 10)

test('a month begins on the day that the owner chose', () => {
  assert.deepEqual(
    [
      starts('2026-03-31', 1),
      starts('2026-03-14', 15),
      starts('2026-03-15', 15),
      starts('2026-01-01', 28),
      starts('2024-03-01', 28),
      starts('2026-01-28', 28),
    ],
    ['2026-03-01', '2026-02-15', '2026-03-15', '2025-12-28', '2024-02-28', '2026-01-28'],
  )
})

test('each month of every start is counted from the days that are kept', () => {
  for (let startsOn = 1; startsOn <= 28; startsOn++) {
    let days: ReturnType<typeof withSegments> = []
    for (let one = day('2024-01-01'); one < day('2025-03-01'); one++) {
      days = withSegments(days, one, 1)
      assert.ok(days.length <= 31)
      const device = { smsPerDayMax: null, smsPerMonthMax: 40, monthStartsOn: startsOn, segmentDays: days }
      const wallMs = one * 86_400_000 + 1
      const used = Math.min(one - day('2024-01-01'), one - monthStart(one, startsOn)) + 1
      assert.equal(segmentsInMonth(device, wallMs), used)
      assert.equal(segmentsOnDay(device, wallMs), 1)
      assert.equal(segmentsLeft(device, wallMs), 40 - used)
    }
  }
})

test('the smaller rest counts, and what is taken back of a day is never below nothing', () => {
  const wallMs = Date.parse('2026-01-15T12:00:00Z')
  const segmentDays = withSegments(withSegments([], day('2026-01-14'), 5), day('2026-01-15'), 3)
  const device = { smsPerDayMax: 10, smsPerMonthMax: 9, monthStartsOn: 1, segmentDays }
  assert.equal(segmentsLeft(device, wallMs), 1)
  assert.equal(segmentsLeft({ ...device, monthStartsOn: 15 }, wallMs), 6)
  assert.deepEqual(withSegments([[1, 2]], 1, -5), [[1, 0]])
})
