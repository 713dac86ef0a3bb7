const FIRST_MS = 500
/** Tries are about so far apart once the gateway has been away for a while. */
export const LONGEST_MS = 15_000

/** Milliseconds to wait before try number `tries` (from 0) while the gateway does not answer. */
export function backOffMs(tries: number, random: number): number {
  const ms = Math.min(FIRST_MS * 2 ** tries, LONGEST_MS)
  return Math.round(ms * (0.75 + random / 2))
}
