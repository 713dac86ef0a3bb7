/** What a phone reported and did over days, prepared for a plot and a table. */
import { dayWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

const HALF_HOUR_MS = 1_800_000

export interface Span {
  /** Wall-clock milliseconds. */
  readonly from: number
  readonly until: number
  /** The values at the lower and the upper edge. */
  readonly low: number
  readonly high: number
}

export interface PastValue {
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly value: number
}

type Level = 'battery' | 'signal'

interface LevelsNow {
  readonly phone: Pick<DeviceListItem, Level | 'status' | 'lastSeen'>
  readonly now: number
}

/** A level at the end of each half-hour, and last what every page shows: of now, or of when last seen. */
export function valuesOf(
  level: Level,
  rows: readonly PhoneHalfHour[],
  { phone, now }: LevelsNow,
): readonly PastValue[] {
  const last = phone.status === 'offline' ? Date.parse(phone.lastSeen) : now
  const ended = rows.map(row => ({ at: Date.parse(row.at) + HALF_HOUR_MS, value: row[level] }))
  return [...ended, { at: last, value: phone[level] }].flatMap(({ at, value }) =>
    value === null || at > last ? [] : [{ at, value }],
  )
}

/** An SVG line through the values, 1,000 wide and 100 high. It breaks where half-hours are missing. */
export function linePath(values: readonly PastValue[], { from, until, low, high }: Span): string {
  let path = ''
  let lastAt = 0
  for (const { at, value } of values) {
    if (at < from) continue
    const x = Math.round(((at - from) / (until - from)) * 1_000)
    const y = Math.round(100 - ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * 100)
    path += `${at - lastAt > HALF_HOUR_MS ? 'M' : 'L'}${x} ${y}`
    lastAt = at
  }
  return path
}

/** The same line without breaks: what lies between the values that are known. */
export function withoutBreaks(path: string): string {
  return path.slice(0, 1) + path.slice(1).replaceAll('M', 'L')
}

export interface PhoneDay {
  readonly day: string
  readonly sent: number
  readonly failed: number
  /** The lowest of the day; null: never reported. */
  readonly battery: number | null
  readonly signal: number | null
}

/** The days of the reader, the newest first. */
export function daysOf(rows: readonly PhoneHalfHour[], now: number): readonly PhoneDay[] {
  const days = new Map<string, PhoneDay>()
  for (const { at, sent, failed, battery, signal } of rows) {
    const day = dayWords(Date.parse(at), now)
    const before = days.get(day)
    days.set(day, {
      day,
      sent: sent + (before?.sent ?? 0),
      failed: failed + (before?.failed ?? 0),
      battery: lower(before?.battery ?? null, battery),
      signal: lower(before?.signal ?? null, signal),
    })
  }
  return [...days.values()].toReversed()
}

function lower(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
