import type { GivenNumber } from '#domain/incident/incident-store.ts'

export const NUMBER_MIN = 2
/** Two digits are quick to type. 0 and 1 are left out: people answer 1 to many things. */
export const NUMBER_MAX = 99
/** A late answer to a closed incident must not meet another one. */
const REST_MS = 3_600_000

/**
 * The smallest number that no incident of the account has that is not closed, or was closed within the last
 * hour. If there is none, the one whose incident was closed longest ago. Null: all are of such that are not
 * closed.
 */
export function freeNumber(given: Iterable<GivenNumber>, wallMs: number): number | null {
  /** When the number was given back; infinity: it was not. */
  const backAt = new Map<number, number>()
  for (const { number, closedAt } of given)
    if (number !== null)
      backAt.set(number, Math.max(backAt.get(number) ?? 0, closedAt ?? Number.POSITIVE_INFINITY))
  const since = wallMs - REST_MS
  let best = { number: -1, at: Number.POSITIVE_INFINITY }
  for (let number = NUMBER_MIN; number <= NUMBER_MAX; number++) {
    const at = backAt.get(number) ?? Number.NEGATIVE_INFINITY
    if (at < since) return number
    if (at < best.at) best = { number, at }
  }
  return best.number === -1 ? null : best.number
}
