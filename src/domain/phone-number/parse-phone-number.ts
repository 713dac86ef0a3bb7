/**
 * Parses phone numbers: the only file that uses libphonenumber-js. A number in international notation only
 * has to be *possible*, so fictional numbers such as +1 202 555 0100, which tests and examples use, are
 * accepted. The largest data set ("max") tells best which numbers are *valid*, and so what a number without +
 * means.
 */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'

export interface PhoneNumber {
  /** `+` and at most 15 digits; of a short code (`parseUnchecked`) only its digits. */
  readonly e164: string
  /**
   * ISO 3166 alpha-2; null if the number has no country, or several countries share its code.
   */
  readonly country: string | null
  /** Digits without `+`; empty: a short code has none. */
  readonly callingCode: string
}

/** What a number consists of once it is cleaned. An extension cannot get texts, so it is not read. */
const WRITTEN = /^\+[0-9 \-()./]+$/
const E164 = /^\+[1-9]\d{1,14}$/
/** Codes of services, which belong to no country. */
const SERVICE_CODES = ['800', '808', '870', '878', '881', '882', '883', '888', '979']
/** Made when it is first needed: no thread needs it at its start. */
let callingCodes: ReadonlySet<string> | undefined

/**
 * A number as people paste it, in plain signs: without invisible characters, variation selectors and the
 * scheme of a link (`tel:`), with ASCII digits for those of every script, one kind of dash and one of blank.
 */
export function cleanNumber(text: string): string {
  if (/^\+?\d*$/.test(text)) return text
  return plainDigits(text.normalize('NFKC'))
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/g, ' ')
    .replace(/^ *(?:tel|sms): */i, '')
}

/** A text with ASCII digits for those of every script. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, digitOf)
}

/** Emergency numbers that no text may go to, as they are dialled at home or with an exit code. */
const EMERGENCY = /^0*(?:11[0289]|911|99[59])$|^000$/

/**
 * A number that the rules do not know, as it stands: one of a machine (M2M), or a short code of 3 to 6
 * digits, which has no country. Null: it is neither, an emergency number, or can be two numbers.
 */
export function parseUnchecked(text: string): PhoneNumber | null {
  if (text.length > PHONE_NUMBER_LENGTH_MAX) return null
  const number = cleanNumber(text).replace(/[ \-()./]/g, '')
  const callingCode = /^\+[1-9]\d{4,14}$/.test(number) ? callingCodeOf(number.slice(1)) : ''
  if (EMERGENCY.test(number.slice(callingCode === '' ? 0 : callingCode.length + 1))) return null
  const isKnown = callingCode !== '' || /^\d{3,6}$/.test(number)
  return isKnown && askWhich(text) === null ? { e164: number, country: null, callingCode } : null
}

/** The code of a country or service that digits begin with; empty: none. */
function callingCodeOf(digits: string): string {
  callingCodes ??= new Set([
    ...SERVICE_CODES,
    ...getCountries().map(country => getCountryCallingCode(country)),
  ])
  return [1, 2, 3].map(length => digits.slice(0, length)).find(code => callingCodes?.has(code)) ?? ''
}

/** The digits of a number; null if the text has other characters than a written number, or too many. */
export function digitsOf(text: string): string | null {
  const written = text.length > PHONE_NUMBER_LENGTH_MAX ? '' : cleanNumber(text).trim()
  return WRITTEN.test(`+${written}`) ? written.replace(/\D/g, '') : null
}

/** The value of a digit of any script: each script has its ten digits in a row. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/**
 * Parses a number in international notation; null if it is not possible, or if it can mean two numbers (see
 * `refuseNumber`). Costs up to 20 µs, and more if the text is not E.164 or has a zero after the country code.
 */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  const readings = readInternational(text)
  return readings.length === 1 ? (readings[0] as PhoneNumber) : null
}

/** Why `parsePhoneNumber` refuses a text, and what to write instead. */
export function refuseNumber(text: string): string {
  if (!cleanNumber(text).trim().startsWith('+'))
    return 'must begin with + and the country code, like +14155550123'
  return askWhich(text) ?? 'is not a possible number: write it like +14155550123 (E.164)'
}

/** What to write instead of an international number that can be two; null for any other text. */
export function askWhich(text: string): string | null {
  const [first, second] = readInternational(text)
  if (first === undefined || second === undefined) return null
  return `can be two numbers: write ${first.e164} if the zero belongs to it, else ${second.e164}`
}

/** The numbers that a text can mean: none, one, or two: with the zero after the country code, and without. */
function readInternational(text: string): readonly PhoneNumber[] {
  if (text.length > PHONE_NUMBER_LENGTH_MAX) return []
  const written = cleanNumber(text).trim()
  if (!WRITTEN.test(written)) return []
  const asWritten = parseOnce(written)
  const zero = zeroOf(written)
  if (zero === null) return asWritten === null ? [] : [asWritten]
  const without = parseOnce(zero.without)
  if (asWritten === null || without === null || asWritten.e164 === without.e164)
    return [asWritten ?? without].filter(one => one !== null)
  const isWrittenValid = isValid(asWritten)
  if (isWrittenValid !== isValid(without)) return [isWrittenValid ? asWritten : without]
  if (!zero.isApart) return [asWritten]
  return isWrittenValid ? [asWritten, without] : [without]
}

/**
 * The zero after the country code, which people write where the number has it only at home: the number
 * without it, and whether it stands in brackets or behind a blank or dash.
 */
function zeroOf(written: string): { readonly without: string; readonly isApart: boolean } | null {
  const digits = written.replace(/\D/g, '')
  const { length } = callingCodeOf(digits)
  if (length === 0 || digits[length] !== '0') return null
  return {
    without: `+${digits.slice(0, length)}${digits.slice(length + 1)}`,
    isApart: !written.startsWith(`+${digits.slice(0, length + 1)}`),
  }
}

function isValid({ e164 }: PhoneNumber): boolean {
  return parsePhoneNumberFromString(e164, { extract: false })?.isValid() === true
}

function parseOnce(written: string): PhoneNumber | null {
  return normalize(written, checkParsed(parsePhoneNumberFromString(written, { extract: false })))
}

/**
 * Parses digits as they are dialled in this country (ISO 3166 alpha-2), also with its exit code. Null if the
 * number is not valid, so that no country has such numbers.
 */
export function parseDialledNumber(digits: string, country: string): PhoneNumber | null {
  return isKnownCountry(country) ? onlyValid(digits, country) : null
}

/** Parses an international number without +. Null if it is not valid, or can be two numbers. */
export function parseUnmarkedNumber(written: string): PhoneNumber | null {
  const number = parsePhoneNumber(`+${written}`)
  return number !== null && isValid(number) ? number : null
}

function onlyValid(text: string, defaultCountry: CountryCode): PhoneNumber | null {
  const parsed = parsePhoneNumberFromString(text, { extract: false, defaultCountry })
  return parsed?.isValid() === true ? normalize(text, checkParsed(parsed)) : null
}

/**
 * In some countries the library drops a zero behind the country code each time it parses a number. The result
 * is parsed again until it stays the same, so that one number has one spelling.
 */
function normalize(text: string, number: PhoneNumber | null): PhoneNumber | null {
  return number === null || number.e164 === text ? number : parseOnce(number.e164)
}

function checkParsed(parsed: ReturnType<typeof parsePhoneNumberFromString>): PhoneNumber | null {
  if (parsed === undefined || !parsed.isPossible() || !E164.test(parsed.number)) return null
  const { number: e164, country = null, countryCallingCode: callingCode } = parsed
  // The library takes +49 0112 for possible.
  return EMERGENCY.test(e164.slice(callingCode.length + 1)) ? null : { e164, country, callingCode }
}

/**
 * The region of a number as text: its country, or `+` and the calling code if several countries share it.
 * Null: a short code has none.
 */
export function regionOf(number: Pick<PhoneNumber, 'country' | 'callingCode'>): string | null {
  const { country, callingCode } = number
  return country ?? (callingCode === '' ? null : `+${callingCode}`)
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
