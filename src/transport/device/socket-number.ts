let last = 0

/**
 * Numbers a connection of a phone, of whatever protocol. Microseconds of the clock that all threads share:
 * also connections of several listeners stand in order.
 */
export function nextSocketNumber(): number {
  const now = Number(process.hrtime.bigint() / 1000n)
  last = Math.max(last + 1, now)
  return last
}
