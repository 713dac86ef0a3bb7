import type { Incident } from '#domain/incident/incident.ts'

const NUMBER_MIN = 2
/** Two digits are quick to type. 0 and 1 are left out: people answer 1 to many things. */
const NUMBER_MAX = 99
/** A late answer to a closed incident must not meet another one. */
const REST_MS = 3_600_000

/**
 * The smallest number that no incident of the account has that is not closed, or was closed within the last
 * hour. Null: there is none.
 */
export function freeNumber(
  incidents: Iterable<Pick<Incident, 'number' | 'closedAt'>>,
  wallMs: number,
): number | null {
  const used = new Set<number | null>()
  for (const { number, closedAt } of incidents)
    if (closedAt === null || wallMs - closedAt <= REST_MS) used.add(number)
  for (let number = NUMBER_MIN; number <= NUMBER_MAX; number++) if (!used.has(number)) return number
  return null
}
