/**
 * Row numbers of messages: the microsecond in which a message was accepted, or the next free one. The clock
 * gives milliseconds, so each has a thousand serials; further messages use serials of a later millisecond.
 */
import type { DatabaseSync } from 'node:sqlite'

export const SERIALS_PER_MS = 1000
/** In the year 2255: a clock beyond that is wrong. */
const WALL_MS_MAX = Math.floor(Number.MAX_SAFE_INTEGER / SERIALS_PER_MS) - SERIALS_PER_MS

/**
 * Gives an unused serial to a message of this wall-clock millisecond. Only one such function may work on a
 * database: it queries the table only when the clock is behind the last serial given.
 */
export function openSerials(database: DatabaseSync): (createdAt: number) => number {
  const findLast = database.prepare('SELECT max(serial) AS last FROM message WHERE serial < ?')
  const lastBefore = (end: number) => Number(findLast.get(end)?.['last'] ?? -1)
  let highest = lastBefore(Number.MAX_SAFE_INTEGER)
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
