import { type PhoneNumber, parseNationalNumber } from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

/**
 * Parses a number as programs write it: with + or 00, or in the national notation of a given country (two
 * letters). Null if it is not possible or its country is unknown.
 */
export function readWrittenNumber(
  numbers: PhoneNumberCache,
  text: string,
  country: string,
): PhoneNumber | null {
  const trimmed = text.trim()
  const international = trimmed.replace(/^00(?=[1-9])/, '+')
  if (international.startsWith('+')) return numbers.parse(international)
  return country === '' ? null : parseNationalNumber(trimmed, country)
}
