/**
 * The arithmetic of a token bucket that is kept as one point in time (generic cell rate algorithm).
 *
 * A bucket is the time at which it will be full again. A call moves that time one step (a minute divided by
 * the limit) into the future; a call that would move it more than a minute past now finds the bucket empty.
 * So the capacity is exactly the limit, the refill is even, and nothing has to be updated while time passes.
 *
 * Times are whole units of 1/64 ms. A step is seldom whole, and rounding it the same way each time would be
 * up to 3 % wrong at high limits: `stepAt` spreads the rounding so that the steps of any minute add up to a
 * minute. Every product here stays far below 2^53, so the numbers are exact.
 *
 * @see ITU-T I.371, annex A (virtual scheduling)
 */
export const UNITS_PER_MS = 64
/** One minute. */
export const WINDOW_UNITS = 60_000 * UNITS_PER_MS
/**
 * Units forgiven when tokens are counted. A sum of steps is up to one unit off, because a bucket may begin
 * between two units of the rounding; with two, that is still less than the shortest step (3.84).
 */
const TOLERANCE_UNITS = 2

/** The length of one call at this point of time; `limit` is calls per minute, 1 to CALLS_PER_MINUTE_MAX. */
export function stepAt(units: number, limit: number): number {
  const step = Math.floor(((units % WINDOW_UNITS) * limit) / WINDOW_UNITS)
  return Math.ceil(((step + 1) * WINDOW_UNITS) / limit) - Math.ceil((step * WINDOW_UNITS) / limit)
}

/** The number of calls left in a bucket that will be full in `aheadUnits` (0 or more, 1/64 ms). */
export function tokensLeft(aheadUnits: number, limit: number): number {
  const tokens = Math.floor(((WINDOW_UNITS - aheadUnits + TOLERANCE_UNITS) * limit) / WINDOW_UNITS)
  return Math.max(0, Math.min(limit, tokens))
}

/** Time until that bucket holds one call again, 1/64 ms. */
export function unitsUntilToken(aheadUnits: number, limit: number): number {
  const aheadUnitsMax = Math.floor(WINDOW_UNITS + TOLERANCE_UNITS - WINDOW_UNITS / limit)
  return Math.max(0, aheadUnits - aheadUnitsMax)
}
