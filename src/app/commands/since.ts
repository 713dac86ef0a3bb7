import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts'

/** How long ago a time was, such as `5 min ago`; after a month, the date; for null, `-`. */
export function since(at: string | null, nowMs: number): string {
  if (at === null) return '-'
  const ms = nowMs - Date.parse(at)
  // The time may lie in the future: clocks differ a little, or the clock was set back.
  if (ms < MINUTE_MS) return 'just now'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
  if (ms < 31 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days ago`
  return at.slice(0, 10)
}
