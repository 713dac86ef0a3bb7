const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A span for a text: `45s`, `12m`, `1h 5m`, `2d 3h`. Empty below a second or above ten years. */
export function printSpan(spanMs: number): string {
  if (!(spanMs >= SECOND_MS) || spanMs > 3650 * DAY_MS) return ''
  if (spanMs < MINUTE_MS) return `${Math.floor(spanMs / SECOND_MS)}s`
  if (spanMs < HOUR_MS) return `${Math.floor(spanMs / MINUTE_MS)}m`
  if (spanMs < DAY_MS) return twoUnits(spanMs, [HOUR_MS, 'h'], [MINUTE_MS, 'm'])
  return twoUnits(spanMs, [DAY_MS, 'd'], [HOUR_MS, 'h'])
}

function twoUnits(
  spanMs: number,
  large: readonly [number, string],
  small: readonly [number, string],
): string {
  const rest = Math.floor((spanMs % large[0]) / small[0])
  const first = `${Math.floor(spanMs / large[0])}${large[1]}`
  return rest === 0 ? first : `${first} ${rest}${small[1]}`
}

/** Milliseconds between two times as senders write them. `NaN` if one is missing or invalid. */
export function spanBetween(from: string, to: string): number {
  return readInstant(to) - readInstant(from)
}

const DATE_TIME_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/

/**
 * Reads ISO 8601 (UTC if without a zone), or seconds or milliseconds since 1970. `NaN` for any other text and
 * for a time before 1971: some senders write year 1 for "never".
 */
function readInstant(text: string): number {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Number(text) * SECOND_MS
  if (/^\d{13}$/.test(text)) return Number(text)
  const match = DATE_TIME_ZONE.exec(text)
  if (match === null) return Number.NaN
  const [, date = '', time = '', zone = 'Z'] = match
  if (date < '1971') return Number.NaN
  // The format of `Date.parse` has at most milliseconds, and a zone is `Z` or has a colon: `+02:00`.
  const timeToMs = time.replace(/(\.\d{3})\d+$/, '$1')
  const zoneWithColon = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return Date.parse(`${date}T${timeToMs}${zoneWithColon}`)
}

/**
 * A span from a field. A bare number (seconds) and `1:05:00` become milliseconds. Other text with a digit is
 * returned as it is. Any other text gives an empty text.
 */
export function readSpan(text: string): number | string {
  if (text === '' || text.length > 40) return ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * SECOND_MS
  const clock = /^(\d{1,3}):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text)
  if (clock === null) return /\d/.test(text) ? text : ''
  return Number(clock[1]) * HOUR_MS + Number(clock[2]) * MINUTE_MS + Number(clock[3]) * SECOND_MS
}
