/**
 * Parses phone numbers: the only file that uses libphonenumber-js. A number in international notation only
 * has to be *possible*, so fictional numbers such as +1 202 555 0100, which tests and examples use, are
 * accepted. The largest data set ("max") tells best which numbers are *valid*, and so what a number without +
 * means.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'

export interface PhoneNumber {
  /** `+` and at most 15 digits. */
  readonly e164: string
  /**
   * ISO 3166 alpha-2; null if the number has no country, or several countries share its code.
   */
  readonly country: string | null
  /** Digits without `+`. */
  readonly callingCode: string
}

/**
 * Characters allowed in a number: digits, spaces (U+00A0 too), hyphens (U+2010 to U+2015 too), parentheses,
 * dots, slashes. The library would also accept digits of other scripts, and extensions, which cannot get
 * texts.
 */
const WRITTEN = /^\+[0-9 \u00a0\-\u2010-\u2015()./]+$/
const E164 = /^\+[1-9]\d{1,14}$/

/**
 * Parses a number in international notation; null if it is not possible. Costs up to 20 µs, and twice that
 * if the text is not E.164 already.
 */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  if (text.length > PHONE_NUMBER_LENGTH_MAX || !WRITTEN.test(text)) return null
  return normalize(text, checkParsed(parsePhoneNumberFromString(text, { extract: false })))
}

/**
 * Parses digits as they are dialled in this country (ISO 3166 alpha-2), also with its exit code. Null if the
 * number is not valid, so that no country has such numbers.
 */
export function parseDialledNumber(digits: string, country: string): PhoneNumber | null {
  return isKnownCountry(country) ? onlyValid(digits, country) : null
}

/** Parses the digits of an international number, without +. Null if the number is not valid. */
export function parseUnmarkedNumber(digits: string): PhoneNumber | null {
  return onlyValid(`+${digits}`)
}

function onlyValid(text: string, defaultCountry?: CountryCode): PhoneNumber | null {
  const parsed = parsePhoneNumberFromString(text, {
    extract: false,
    ...(defaultCountry !== undefined && { defaultCountry }),
  })
  return parsed?.isValid() === true ? normalize(text, checkParsed(parsed)) : null
}

/** The digits of a number; null if the text has other characters than a written number, or too many. */
export function digitsOf(text: string): string | null {
  if (text.length > PHONE_NUMBER_LENGTH_MAX || !WRITTEN.test(`+${text}`)) return null
  return text.replace(/\D/g, '')
}

/**
 * In some countries the library drops a zero behind the country code each time it parses a number. The result
 * is parsed again until it stays the same, so that one number has one spelling.
 */
function normalize(text: string, number: PhoneNumber | null): PhoneNumber | null {
  return number === null || number.e164 === text ? number : parsePhoneNumber(number.e164)
}

function checkParsed(parsed: ReturnType<typeof parsePhoneNumberFromString>): PhoneNumber | null {
  if (parsed === undefined || !parsed.isPossible() || !E164.test(parsed.number)) return null
  return { e164: parsed.number, country: parsed.country ?? null, callingCode: parsed.countryCallingCode }
}

/** The region of a number as text: its country, or `+` and the calling code if several countries share it. */
export function regionOf(number: Pick<PhoneNumber, 'country' | 'callingCode'>): string {
  return number.country ?? `+${number.callingCode}`
}

/** Whether a SIM's country matches the region of a number, as written by `regionOf`. */
export function regionMatches(region: string, simCountryCode: string): boolean {
  const number = region.startsWith('+')
    ? { country: null, callingCode: region.slice(1) }
    : { country: region, callingCode: '' }
  return countryMatches(number, simCountryCode)
}

/**
 * Whether a SIM's country matches a number: the same country, or, if the number does not show its country,
 * the same calling code. `simCountryCode` is ISO 3166 alpha-2 in capitals; an unknown one never matches.
 */
export function countryMatches(
  number: Pick<PhoneNumber, 'country' | 'callingCode'>,
  simCountryCode: string,
): boolean {
  if (number.country !== null) return number.country === simCountryCode
  return isCalledAs(number, simCountryCode)
}

/** Whether the number has the calling code of this country, which may be several countries' code. */
export function isCalledAs({ callingCode }: Pick<PhoneNumber, 'callingCode'>, country: string): boolean {
  return isKnownCountry(country) && getCountryCallingCode(country) === callingCode
}

/** Whether these two capital letters are a country with its own phone numbers. */
export function isKnownCountry(code: string): code is CountryCode {
  return isSupportedCountry(code)
}
