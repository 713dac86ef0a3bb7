/**
 * The arithmetic of a token bucket that is stored as one point in time (generic cell rate algorithm).
 *
 * The stored time is when the bucket will be full again. A call moves it one step (a minute divided by the
 * limit) into the future. If that would move it more than a minute past now, the bucket is empty. So the
 * capacity is the limit, the bucket refills evenly, and nothing has to be updated while time passes.
 *
 * Times are whole units of 1/64 ms. Most steps are not whole. If all were rounded the same way, high limits
 * would be wrong by up to 3 %. So `stepAt` spreads the rounding, and the steps of any minute add up to a
 * minute. Every product here is far below 2^53, so the numbers are exact.
 *
 * @see ITU-T I.371, annex A (virtual scheduling)
 */
export const UNITS_PER_MS = 64
/** One minute. */
export const WINDOW_UNITS = 60_000 * UNITS_PER_MS
/**
 * Tolerance when tokens are counted. Steps are rounded, so the sum of some steps may be off by one unit. Two
 * units cover that, and are less than the shortest step (3.84).
 */
const TOLERANCE_UNITS = 2

/** The step of a call at this time, in units. `limit`: calls per minute, 1 to CALLS_PER_MINUTE_MAX. */
export function stepAt(units: number, limit: number): number {
  const index = Math.floor(((units % WINDOW_UNITS) * limit) / WINDOW_UNITS)
  const startOf = (step: number) => Math.ceil((step * WINDOW_UNITS) / limit)
  return startOf(index + 1) - startOf(index)
}

/** The number of calls left in a bucket that will be full in `aheadUnits` (0 or more, 1/64 ms). */
export function tokensLeft(aheadUnits: number, limit: number): number {
  const tokens = Math.floor(((WINDOW_UNITS - aheadUnits + TOLERANCE_UNITS) * limit) / WINDOW_UNITS)
  return Math.max(0, Math.min(limit, tokens))
}

/** Time until such a bucket has a call left, 1/64 ms; 0: it has one now. */
export function unitsUntilToken(aheadUnits: number, limit: number): number {
  const aheadUnitsMax = Math.floor(WINDOW_UNITS + TOLERANCE_UNITS - WINDOW_UNITS / limit)
  return Math.max(0, aheadUnits - aheadUnitsMax)
}
