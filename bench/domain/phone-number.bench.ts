import type { Bench } from 'tinybench'
import { PHONE_NUMBERS_CACHED_MAX } from '#app/threads/listener-parts.ts'
import { parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

/**
 * Compares parsing a phone number with looking it up in the cache of parsed numbers: the difference is what
 * the cache saves.
 */
export function addTo(bench: Bench): void {
  bench.add('phone number: parse', () => {
    parsePhoneNumber('+49 1511 2345678')
  })
  const cache = new PhoneNumberCache(PHONE_NUMBERS_CACHED_MAX)
  bench.add('phone number: cached', () => {
    cache.parse('+49 1511 2345678')
  })
}
