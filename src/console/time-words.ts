/** Points in time and spans as words. All pages take them from here, so that they look the same. */
import { language, localeOf, t } from '#console/language.ts'

/** Months are in the language of the page, whatever the browser's is. In English the clock has 24 hours. */
const LANGUAGE = language.tag === 'en' ? 'en-GB' : localeOf()
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const EXACT_CLOCK = { ...CLOCK, second: '2-digit' } as const
const DAY = { day: 'numeric', month: 'short' } as const
const WEEKDAY = { ...DAY, weekday: 'short' } as const
const EXACT_DAY = { ...DAY, year: 'numeric' } as const
const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const
const LONG_DAY_OF_YEAR = { ...LONG_DAY, year: 'numeric' } as const
const DAY_MS = 86_400_000

const SPANS: readonly (readonly [ms: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [DAY_MS, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
]
/** Made on first use, because it takes long on a slow processor and the login page needs no times. */
let relative: Intl.RelativeTimeFormat | undefined
/** Kept, because each takes as long to make as some hundred times take to write. */
const formats = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>()

function written(at: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const format = formats.get(options) ?? new Intl.DateTimeFormat(LANGUAGE, options)
  formats.set(options, format)
  return format.format(new Date(at))
}

/** `3 minutes ago`, `in 10 minutes`; within ten seconds `just now`, or `now` for the future. */
export function agoWords(at: number, now: number): string {
  const ms = at - now
  if (Math.abs(ms) < 10_000) return ms > 0 ? t('now') : t('just now')
  const [size, unit] = SPANS.find(([span]) => Math.abs(ms) >= span) ?? [1_000, 'second']
  relative ??= new Intl.RelativeTimeFormat(language.tag, { numeric: 'auto' })
  return relative.format(Math.trunc(ms / size), unit)
}

/** `now`, `4 min`, `2 h`, `3 days`: how long ago something was, where there is little room. */
export function shortAgoWords(at: number, now: number): string {
  return now - at < 60_000 ? t('now') : spanWords(now - at)
}

/** `29 s`, `4 min`, `2 h`, `3 days`: how long something took. */
export function spanWords(ms: number): string {
  if (ms < 1_000) return t('under 1 s')
  if (ms < 90_000) return t('{count} s', { count: Math.round(ms / 1_000) })
  if (ms < 5_400_000) return t('{count} min', { count: Math.round(ms / 60_000) })
  if (ms < 129_600_000) return t('{count} h', { count: Math.round(ms / 3_600_000) })
  return t('1 day|{count} days', { count: Math.round(ms / 86_400_000) })
}

/** The time left until `at`, as `9:58`; `0:00` when it is over. */
export function countdownWords(at: number, now: number): string {
  const s = Math.max(0, Math.ceil((at - now) / 1_000))
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}

/** `18:05`, in local time. */
export function clockWords(at: string | number): string {
  return written(at, CLOCK)
}

/** `18:05:09`, in local time. */
export function exactClockWords(at: string | number): string {
  return written(at, EXACT_CLOCK)
}

/** `Mon 23 Nov, 09:00`, in local time. */
export function dutyWords(at: string | number): string {
  return `${written(at, WEEKDAY)}, ${clockWords(at)}`
}

/** `18:05` today and within twelve hours, otherwise `Mon 23 Nov, 09:00`; in local time. */
export function momentWords(at: string | number): string {
  const isNear = Math.abs(new Date(at).getTime() - Date.now()) < DAY_MS / 2
  return isNear || new Date(at).toDateString() === new Date().toDateString() ? clockWords(at) : dutyWords(at)
}

/** `22 Nov 2026, 18:05:09`, in local time. */
export function exactWords(at: string | number): string {
  return `${written(at, EXACT_DAY)}, ${exactClockWords(at)}`
}

/** The local time at which the UTC day began: limits of a day begin there. */
export function dayStartWords(now: number): string {
  return clockWords(Math.floor(now / DAY_MS) * DAY_MS)
}

let zone: string | undefined

/** The reader's time zone, such as `Europe/Berlin`. It takes long to find on a slow processor. */
export function readersZone(): string {
  zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone
}

/** When a local day such as `2026-11-22` begins. Other times stay as they are. */
export function startOf(day: string): number {
  return Date.parse(day.length > 10 ? day : `${day}T00:00`)
}

/** `22 Nov`, for a local day such as `2026-11-22` or a point in time. */
export function shortDayWords(day: string): string {
  return written(startOf(day), DAY)
}

/** A time in the format of a `datetime-local` field: `2026-01-31T18:05`, local time. */
export function localMinute(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** `Today`, `Yesterday`, `Thursday 19 November`, with the year unless it is this year; in local time. */
export function dayWords(at: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (at >= midnight) return t('Today')
  if (at >= new Date(midnight).setDate(new Date(midnight).getDate() - 1)) return t('Yesterday')
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return written(at, isThisYear ? LONG_DAY : LONG_DAY_OF_YEAR)
}
