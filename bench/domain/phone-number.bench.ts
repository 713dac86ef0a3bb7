import type { Bench } from 'tinybench'
import { PHONE_NUMBERS_CACHED_MAX } from '#contracts/bounds.ts'
import { parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

/**
 * Compares reading a phone number with looking it up among the remembered ones, which is why it is
 * remembered.
 */
export function addTo(bench: Bench): void {
  bench.add('phone number: parse', () => {
    parsePhoneNumber('+49 1511 2345678')
  })
  const cache = new PhoneNumberCache(PHONE_NUMBERS_CACHED_MAX)
  bench.add('phone number: remembered', () => {
    cache.parse('+49 1511 2345678')
  })
}
