/** Parses arguments of commands. Each function throws a usage error for an invalid argument. */
import { InvalidArgumentError } from 'commander'
import * as v from 'valibot'
import { EmailInput } from '#contracts/account.ts'
import { SILENT_AFTER_MINUTES_MAX } from '#contracts/bounds.ts'
import { FALLBACK_MINUTES_MAX } from '#contracts/device-group.ts'
import { Name } from '#contracts/primitives.ts'

/** Longest life of an account token: 366 days. */
const TOKEN_TTL_S_MAX = 31_622_400

const PORT_MAX = 65_535
const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

export function readEmail(text: string): string {
  return read(EmailInput, text)
}

export function readName(text: string): string {
  return read(Name, text)
}

/** Seconds of a span such as `90s`, `30m`, `12h` or `7d`; null for anything else. */
export function spanS(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_S[unit] ?? 0)
}

/** Parses the validity of a token to seconds. */
export function readTtl(text: string): number {
  const seconds = spanS(text) ?? 0
  if (seconds < 1 || seconds > TOKEN_TTL_S_MAX)
    throw new InvalidArgumentError('It must be a span such as 90s, 30m, 12h or 7d, at most 366d.')
  return seconds
}

export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${PORT_MAX}.`)
}

/** Parses how long a webhook may be silent. */
export function readSilentAfter(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= SILENT_AFTER_MINUTES_MAX) return Number(text)
  throw new InvalidArgumentError(
    `It must be a whole number of minutes from 1 to ${SILENT_AFTER_MINUTES_MAX}.`,
  )
}

/** Parses after how many minutes other phones send for a group. */
export function readFallbackMinutes(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= FALLBACK_MINUTES_MAX) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number of minutes from 0 to ${FALLBACK_MINUTES_MAX}.`)
}

/** Parses a cap of a SIM; null: `none`. */
export function readCap(text: string): number | null {
  if (text === 'none') return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999, or none.')
}

export function readMonthStart(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= 28) return Number(text)
  throw new InvalidArgumentError('It must be a day from 1 to 28.')
}

function read(schema: v.GenericSchema<string, string>, text: string): string {
  const parsed = v.safeParse(schema, text)
  if (parsed.success) return parsed.output
  throw new InvalidArgumentError(`It ${parsed.issues.map(({ message }) => message).join(' and ')}.`)
}
