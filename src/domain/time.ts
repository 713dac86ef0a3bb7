/**
 * Time in the domain. Times that people read are wall-clock milliseconds since 1970. Delays and deadlines
 * use the monotonic clock. So a wall clock that jumps neither expires a message early nor lets a code live
 * longer. A Raspberry Pi, for example, has no battery-backed clock: its time jumps at the first contact with
 * a time server.
 */
export interface Now {
  /** Milliseconds since 1970, may jump. */
  readonly wallMs: number
  /** Milliseconds since an arbitrary point, never goes back; meaningless after a restart. */
  readonly monoMs: number
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Whole days since 1970, UTC. */
export function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS)
}

/** The next midnight in UTC, as a wall-clock time. */
export function nextMidnight(wallMs: number): number {
  return (dayOf(wallMs) + 1) * DAY_MS
}

/** First and last day of the calendar month, as whole days since 1970, UTC. */
export function monthOf(wallMs: number): { readonly firstDay: number; readonly lastDay: number } {
  const date = new Date(wallMs)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  return { firstDay: dayOf(first), lastDay: dayOf(next) - 1 }
}

let lastInstant = { wallMs: 0, text: '1970-01-01T00:00:00.000Z' }

/** ISO 8601, UTC, milliseconds. Cached, because all messages of one transaction have the same time. */
export function instant(wallMs: number): string {
  if (wallMs !== lastInstant.wallMs) lastInstant = { wallMs, text: new Date(wallMs).toISOString() }
  return lastInstant.text
}

export function instantOrNull(wallMs: number | null): string | null {
  return wallMs === null ? null : instant(wallMs)
}

/** The years of ISO 8601 with four digits. */
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31)

/** A time by a phone's clock, ISO 8601 or milliseconds since 1970, as wall time. Null: it is none. */
export function readPhoneTime(at: string | number | null): number | null {
  const wallMs = typeof at === 'string' ? Date.parse(at) : Math.round(at ?? 0)
  return wallMs > 0 && wallMs < LAST_INSTANT_MS ? wallMs : null
}

/** A day, counted in whole days since 1970, as YYYY-MM-DD. */
export function date(day: number): string {
  return instant(day * DAY_MS).slice(0, 10)
}

/**
 * The monotonic time of a deadline that is stored as wall time, which is all that survives a restart. A wall
 * clock that went back cannot make the wait longer than its full length.
 */
export function monotonicDeadline(deadlineWallMs: number, lengthMs: number, now: Now): number {
  const leftMs = Math.min(Math.max(deadlineWallMs - now.wallMs, 0), lengthMs)
  return now.monoMs + leftMs
}
