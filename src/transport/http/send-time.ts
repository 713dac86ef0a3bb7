/** Reads times to send at of other gateways' clients. Without an offset they are in the machine's zone. */
import { DAY_MS, HOUR_MS, instant } from '#domain/time.ts'

/** YYYYmmDDHHMM of SMSEagle; `2026-01-31 12:00` of playSMS, with seconds or without. */
const LOCAL = /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d)(?::(\d\d))?$/
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/
const UNIX_S = /^\d{9,11}$/
const SPAN = /^(?:\d{1,9}\s*[a-z]+[\s,]*)+$/i
const UNITS_MS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS, m: 60_000, s: 1000 }
const UNIT = /^(?:d(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)$/i

/**
 * A time to send at as ISO 8601: an ISO or local time, seconds since 1970, or a span from now (`1h 30m`).
 * What is none of these is returned unchanged, for the schema to refuse. Undefined: the caller gives none.
 */
export function sendTimeOf(written: unknown, wallMs: number): unknown {
  if (written == null || written === '') return undefined
  const text = String(written).trim()
  const ms = OFFSET.test(text) ? null : (localMs(text) ?? unixMs(text) ?? afterSpan(text, wallMs))
  return ms === null || Number.isNaN(new Date(ms).getTime()) ? text : instant(ms)
}

function localMs(text: string): number | null {
  const [year = 0, month = 0, ...rest] =
    LOCAL.exec(text)
      ?.slice(1)
      .map(part => Number(part ?? 0)) ?? []
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  const date = new Date(year, month - 1, day, hour, minute, second)
  // A day, hour or minute that does not exist would become another one.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && minute < 60 && hour < 24
  return isReal && second < 60 ? date.getTime() : null
}

function unixMs(text: string): number | null {
  return UNIX_S.test(text) ? Number(text) * 1000 : null
}

function afterSpan(text: string, wallMs: number): number | null {
  if (!SPAN.test(text)) return null
  let ms = wallMs
  for (const [, count, unit = ''] of text.matchAll(/(\d+)\s*([a-z]+)/gi)) {
    if (!UNIT.test(unit)) return null
    ms += Number(count) * (UNITS_MS[unit.charAt(0).toLowerCase()] ?? 0)
  }
  return ms
}
