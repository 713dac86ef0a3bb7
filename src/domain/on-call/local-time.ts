/**
 * Local times of a time zone: the only file that uses temporal-polyfill. Its functions are imported one by
 * one, because its classes load four times as much code. Zones are names of the IANA time zone database.
 */
import { fromEpochMilliseconds, toZonedDateTimeISO } from 'temporal-polyfill/fns/Instant'
import { addMinutes, create, toZonedDateTime } from 'temporal-polyfill/fns/PlainDateTime'
import { DAY_MS, dayOf } from '#domain/time.ts'

/** The local date of a wall-clock time, as whole days since 1970-01-01. */
export function localDay(atMs: number, zone: string): number {
  const { year, month, day } = toZonedDateTimeISO(fromEpochMilliseconds(atMs), zone)
  return dayOf(Date.UTC(year, month - 1, day))
}

/**
 * The wall-clock milliseconds of a local time, `09:00` on a day of `localDay`. A time that exists twice, as
 * the clocks go back, is the first one. One that they skip is as much later as they skip: `02:30` is `03:30`.
 */
export function wallMsOf(day: number, clock: string, zone: string): number {
  const date = new Date(day * DAY_MS)
  const midnight = create(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
  const local = addMinutes(midnight, minutesOf(clock))
  return toZonedDateTime(local, zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** Minutes since midnight of a time like `22:00`. */
export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
