/** The date forms of RFC 9110, section 5.6.7; `Date.parse` alone would read "-1" as a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * Reads the header `Retry-After`, seconds or an HTTP date, as milliseconds from now; null when it is neither.
 * A date in the past is 0. There is no maximum here; `retry-schedule.ts` limits the wait.
 *
 * @see RFC 9110, section 10.2.3
 */
export function parseRetryAfter(value: string, nowMs: number): number | null {
  const text = value.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  if (!HTTP_DATE.test(text)) return null
  // The asctime form names no zone and means UTC.
  const atMs = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
