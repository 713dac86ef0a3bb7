import {
  digitsOf,
  isCalledAs,
  type PhoneNumber,
  parseDialledNumber,
  parsePhoneNumber,
  parseUnmarkedNumber,
} from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

const UNCACHED = { parse: parsePhoneNumber }
const ASKS_FOR_PLUS = 'must begin with + and the country code, like +14155550123'

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
  const written = text.trim()
  const words = written.split(/\s+/)
  if (words.length > 1 && words.every(word => typeof readWrittenNumber(word, country, numbers) !== 'string'))
    return `can be one number or several: it ${ASKS_FOR_PLUS}, with commas between numbers`
  if (written.startsWith('+'))
    return numbers.parse(written) ?? 'is not a possible number: write it like +14155550123 (E.164)'
  // In a form or a query, a + that is not percent-encoded arrives as a space.
  const ask = /^ \d/.test(text) ? `${ASKS_FOR_PLUS} (written %2B in a form or an address)` : ASKS_FOR_PLUS
  const digits = digitsOf(written)
  const readings = digits === null ? [] : readingsOf(digits, country)
  const [number] = readings
  if (number === undefined) return `${ask}: without them it is not a valid number`
  if (readings.every(({ e164 }) => e164 === number.e164)) return number
  return `${ask}: without them it can be an international number or one of ${country}`
}

/** Everything that the digits can mean, international numbers first. */
function readingsOf(digits: string, country: string): readonly PhoneNumber[] {
  const dialled = parseDialledNumber(digits, country)
  if (!digits.startsWith('00')) return [parseUnmarkedNumber(digits), dialled].filter(one => one !== null)
  // Some countries have another exit code that begins with 00, such as 001 in Korea.
  const rival = dialled !== null && isCalledAs(dialled, country) ? null : dialled
  return [parsePhoneNumber(`+${digits.slice(2)}`), rival].filter(one => one !== null)
}
