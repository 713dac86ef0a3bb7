/**
 * Caps of a SIM: how many segments a phone may send on a day and in a month. Days are UTC, and a month begins
 * at midnight UTC of the day that the owner chose.
 */
import type { Device } from '#domain/device/phone.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'

type Caps = Pick<Device, 'smsPerDayMax' | 'smsPerMonthMax' | 'monthStartsOn' | 'segmentDays'>

/** Days that are kept: no month is longer. */
const DAYS_KEPT = 31

export function isCapped({ smsPerDayMax, smsPerMonthMax }: Caps): boolean {
  return smsPerDayMax !== null || smsPerMonthMax !== null
}

/** The first day of the month of this day, both whole days since 1970. */
export function monthStart(day: number, startsOn: number): number {
  const date = new Date(day * DAY_MS)
  const months = date.getUTCMonth() - (date.getUTCDate() < startsOn ? 1 : 0)
  return dayOf(Date.UTC(date.getUTCFullYear(), months, startsOn))
}

/** Segments from this day on. Days ahead count, too: the clock may have been set back. */
function segmentsSince({ segmentDays }: Pick<Device, 'segmentDays'>, firstDay: number): number {
  let sum = 0
  for (const [day, segments] of segmentDays) if (day >= firstDay) sum += segments
  return sum
}

export function segmentsOnDay(device: Caps, wallMs: number): number {
  return segmentsSince(device, dayOf(wallMs))
}

export function segmentsInMonth(device: Caps, wallMs: number): number {
  return segmentsSince(device, monthStart(dayOf(wallMs), device.monthStartsOn))
}

/** How many segments the caps leave now. Infinity: there is no cap. Below 0: a cap was lowered. */
export function segmentsLeft(device: Caps, wallMs: number): number {
  const { smsPerDayMax, smsPerMonthMax } = device
  const today =
    smsPerDayMax === null ? Number.POSITIVE_INFINITY : smsPerDayMax - segmentsOnDay(device, wallMs)
  if (smsPerMonthMax === null) return today
  return Math.min(today, smsPerMonthMax - segmentsInMonth(device, wallMs))
}

/** The counts with these segments more on this day; below 0: fewer. */
export function withSegments(
  days: Device['segmentDays'],
  day: number,
  segments: number,
): Device['segmentDays'] {
  const known = days.find(([one]) => one === day)?.[1] ?? 0
  const others = days.filter(([one]) => one !== day && one > day - DAYS_KEPT)
  return [...others, [day, Math.max(0, known + segments)]]
}
