/**
 * Ranges of time as ranges of keys: an identifier is a prefix and a ULID, whose first ten characters are the
 * milliseconds since 1970 in Crockford's base32, so that the order of the keys is that of their times.
 *
 * @see https://github.com/ulid/spec
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16
const WALL_MS_MAX = 2 ** 48 - 1

/** The lowest key of that millisecond or a later one. */
export function lowestKey(prefix: string, wallMs: number): string {
  let text = ''
  let rest = Math.min(Math.max(Math.floor(wallMs), 0), WALL_MS_MAX)
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = `${CROCKFORD[rest % 32]}${text}`
    rest = Math.floor(rest / 32)
  }
  return `${prefix}${text}${'0'.repeat(RANDOM_CHARACTERS)}`
}

/** The millisecond in which the key was made. */
export function timeOfKey(key: string): number {
  let wallMs = 0
  const start = key.indexOf('_') + 1
  for (const character of key.slice(start, start + TIME_CHARACTERS))
    wallMs = wallMs * 32 + CROCKFORD.indexOf(character)
  return wallMs
}
