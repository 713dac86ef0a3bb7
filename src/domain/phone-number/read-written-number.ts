import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'
import {
  askWhich,
  cleanNumber,
  digitsOf,
  isCalledAs,
  type PhoneNumber,
  parseDialledNumber,
  parsePhoneNumber,
  parseUnchecked,
  parseUnmarkedNumber,
  refuseNumber,
} from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

const UNCACHED = { parse: parsePhoneNumber }
const EXIT_CODE = /^\D*0\D*0/
const IS_NO_NUMBER =
  'must begin with + and the country code, like +14155550123: without them it is not a valid number'
const CAN_BE_SEVERAL =
  'can be one number or several: it must begin with + and the country code, like +14155550123, with commas ' +
  'between numbers'

/**
 * Reads a number as programs and people write it; a text as the result says why it is refused. With + or 00
 * it is international. Without, it may be an international number that lost its + or a national number of
 * `country` (two letters, or empty: none). It must be valid as one of them. A number that is valid as both is
 * refused, because a wrong guess would send the text to a stranger. So is a text whose words are numbers too.
 */
export function readWrittenNumber(
  text: string,
  country: string,
  numbers: Pick<PhoneNumberCache, 'parse'> = UNCACHED,
): PhoneNumber | string {
  const known = numbers.parse(text)
  if (known !== null) return known
  const cleaned = text.length > PHONE_NUMBER_LENGTH_MAX ? '' : cleanNumber(text)
  const written = cleaned.trim()
  const words = written.split(' ').filter(word => word !== '')
  if (words.length > 1 && words.every(word => typeof readWrittenNumber(word, country, numbers) !== 'string'))
    return CAN_BE_SEVERAL
  if (written.startsWith('+')) return refuseNumber(written)
  // The library would read an extension.
  if (digitsOf(written) === null) return IS_NO_NUMBER
  // In a form or a query, a + that is not percent-encoded arrives as a space.
  const lostPlus = cleaned.startsWith(' ') ? numbers.parse(`+${written}`) : null
  const readings = readingsOf(written, country)
  const [number = lostPlus ?? undefined] = readings
  if (number === undefined) return askWhich(`+${written.replace(EXIT_CODE, '')}`) ?? IS_NO_NUMBER
  if (readings.every(({ e164 }) => e164 === number.e164)) return number
  const both =
    'must begin with + and the country code, like +14155550123: without them it can be an international ' +
    `number or one of ${country}`
  return lostPlus === null ? both : both.replace(':', ' (written %2B in a form or an address):')
}

/** What a caller says about numbers that no rule knows. */
export interface Unchecked {
  /** Whether they are taken as they are. */
  readonly isTaken: boolean
  readonly hasShortCodes: boolean
  /** How to ask for it, for a refusal. */
  readonly way: string
}

/** What was read of a text, or, if it was refused, a number that no rule knows (`parseUnchecked`). */
export function orUnchecked(
  read: PhoneNumber | string,
  text: string,
  { isTaken, hasShortCodes, way }: Unchecked,
): PhoneNumber | string {
  const number = typeof read === 'string' ? parseUnchecked(text) : null
  if (number === null || (number.callingCode === '' && !hasShortCodes)) return read
  if (isTaken) return number
  return number.callingCode === ''
    ? `must begin with + and the country code, like +14155550123; to text a short code, add ${way}`
    : `is not a number that Roost knows: write it like +14155550123, or add ${way}`
}

/** Everything that a number without + can mean, international numbers first. */
function readingsOf(written: string, country: string): readonly PhoneNumber[] {
  const digits = written.replace(/\D/g, '')
  const dialled = parseDialledNumber(digits, country)
  if (!digits.startsWith('00')) return [parseUnmarkedNumber(written), dialled].filter(one => one !== null)
  // Some countries have another exit code that begins with 00, such as 001 in Korea.
  const rival = dialled !== null && isCalledAs(dialled, country) ? null : dialled
  return [parsePhoneNumber(`+${written.replace(EXIT_CODE, '')}`), rival].filter(one => one !== null)
}
