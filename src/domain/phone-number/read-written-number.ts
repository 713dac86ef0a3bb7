import { type PhoneNumber, parseNationalNumber } from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

/**
 * Reads a number as programs write it: with + or 00, or, with a country of two letters, as people there write
 * it. Null if it is none that could exist, or does not tell its country.
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
