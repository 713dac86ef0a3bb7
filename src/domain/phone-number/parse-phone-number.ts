/**
 * Phone numbers: the only file that knows libphonenumber-js. Its smallest data set ("min") is enough, since a
 * number only has to be *possible*: fictional ones such as +1 202 555 0100 pass, as they must in tests and
 * examples.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'

export interface PhoneNumber {
  /** `+` and at most 15 digits. */
  readonly e164: string
  /**
   * ISO 3166 alpha-2; null when the number names none, or does not tell which of those that share its code.
   */
  readonly country: string | null
  /** Digits without `+`. */
  readonly callingCode: string
}

/**
 * What may stand in a number: digits, spaces (U+00A0 too), hyphens (U+2010 to U+2015 too), parentheses, dots,
 * slashes. The library would also take extensions and other scripts' digits: a text goes to no extension.
 */
const WRITTEN = /^\+[0-9 \u00a0\-\u2010-\u2015()./]+$/
const E164 = /^\+[1-9]\d{1,14}$/

/** Reads a number in international notation; null if it is none that could exist. Costs up to 20 µs. */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  if (text.length > PHONE_NUMBER_LENGTH_MAX || !WRITTEN.test(text)) return null
  return checked(parsePhoneNumberFromString(text, { extract: false }))
}

/** As `parsePhoneNumber`, of a number as people in this country (ISO 3166 alpha-2) write it, without +. */
export function parseNationalNumber(text: string, country: string): PhoneNumber | null {
  if (text.length > PHONE_NUMBER_LENGTH_MAX || !WRITTEN.test(`+${text}`) || !isKnownCountry(country))
    return null
  return checked(parsePhoneNumberFromString(text, { defaultCountry: country, extract: false }))
}

function checked(parsed: ReturnType<typeof parsePhoneNumberFromString>): PhoneNumber | null {
  if (parsed === undefined || !parsed.isPossible() || !E164.test(parsed.number)) return null
  return { e164: parsed.number, country: parsed.country ?? null, callingCode: parsed.countryCallingCode }
}

/** Where a number is at home, as one text: its country, or `+` and the calling code when several share it. */
export function regionOf(number: Pick<PhoneNumber, 'country' | 'callingCode'>): string {
  return number.country ?? `+${number.callingCode}`
}

/** Whether a SIM of a country is at home in the region of a number, as `regionOf` wrote it. */
export function regionMatches(region: string, simCountryCode: string): boolean {
  const number = region.startsWith('+')
    ? { country: null, callingCode: region.slice(1) }
    : { country: region, callingCode: '' }
  return countryMatches(number, simCountryCode)
}

/**
 * Whether a SIM of a country is at home with a number: the same country, or, when the number does not tell
 * its country, the same calling code. `simCountryCode` is ISO 3166 alpha-2 in capitals; an unknown one is at
 * home nowhere.
 */
export function countryMatches(
  number: Pick<PhoneNumber, 'country' | 'callingCode'>,
  simCountryCode: string,
): boolean {
  if (number.country !== null) return number.country === simCountryCode
  return isKnownCountry(simCountryCode) && getCountryCallingCode(simCountryCode) === number.callingCode
}

/** Whether these two capital letters are a country with numbers of its own. */
export function isKnownCountry(code: string): code is CountryCode {
  return isSupportedCountry(code)
}
