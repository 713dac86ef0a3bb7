let last = 0

/**
 * A number for a new connection of a phone, in any protocol. Numbers are microseconds of a monotonic clock
 * that all threads share, so that connections of several listeners are ordered by time, too.
 */
export function nextSocketNumber(): number {
  const now = Number(process.hrtime.bigint() / 1000n)
  last = Math.max(last + 1, now)
  return last
}
