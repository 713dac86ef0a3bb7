/**
 * Serials, the row numbers of messages. A serial is the time of acceptance in microseconds since 1970. The
 * clock only gives milliseconds, so each millisecond has a thousand serials, which are used in order.
 * Further messages get serials of the next millisecond.
 */
import type { DatabaseSync } from 'node:sqlite'

export const SERIALS_PER_MS = 1000
/** Serials of one part of the number index (`migrations/019-message-rows.ts`): ten hours. */
export const PART_SERIALS = 36_000_000_000
/** The latest time with serials, in the year 2255. Serials of later times would exceed the safe integers. */
const WALL_MS_MAX = Math.floor(Number.MAX_SAFE_INTEGER / SERIALS_PER_MS) - SERIALS_PER_MS

/**
 * Makes a function that returns an unused serial for a message of this wall-clock millisecond. A database
 * must have only one such function: it remembers the highest serial, and queries the table only when the
 * clock is behind it.
 */
export function openSerials(database: DatabaseSync): (createdAt: number) => number {
  const findLast = database.prepare('SELECT max(serial) AS last FROM message WHERE serial < ?')
  const lastBefore = (end: number) => Number(findLast.get(end)?.['last'] ?? -1)
  let highest = lastBefore(Number.MAX_SAFE_INTEGER)
  /** The first free serial from `from` on (the first of a millisecond). For a clock that went back. */
  const findFree = (from: number): number => {
    for (let first = from; ; first += SERIALS_PER_MS) {
      const end = first + SERIALS_PER_MS
      const last = lastBefore(end)
      if (last + 1 < end) return Math.max(first, last + 1)
    }
  }
  return createdAt => {
    const first = Math.min(Math.max(createdAt, 0), WALL_MS_MAX) * SERIALS_PER_MS
    let serial = first
    if (first <= highest) serial = highest < first + SERIALS_PER_MS ? highest + 1 : findFree(first)
    if (serial > highest) highest = serial
    return serial
  }
}
