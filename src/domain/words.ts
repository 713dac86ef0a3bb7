import { DAY_MS } from '#domain/time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** `1 text waits`, `3 texts wait`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** A time span in whole minutes, hours or days: `90 minutes`, `3 days`. */
export function spanInWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return count(Math.round(ms / DAY_MS), 'day', 'days')
  if (ms >= 2 * HOUR_MS) return count(Math.round(ms / HOUR_MS), 'hour', 'hours')
  return count(Math.max(1, Math.round(ms / MINUTE_MS)), 'minute', 'minutes')
}
