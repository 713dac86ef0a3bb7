import type { Bench } from 'tinybench'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'

/** The limiter's time for a request: allowed, refused, and from a new address while all slots are in use. */
export function addTo(bench: Bench): void {
  const account = 'acc_01JD8Z5K3V7Q2W9X4Y6T1R0PEN'
  const own = openLimiter(createLimiterBuffer())
  bench.add('limiter: take of a known account', () => {
    own.take('account', account, 60_000)
  })
  const spent = openLimiter(createLimiterBuffer())
  spent.take('account', account, 1)
  bench.add('limiter: take from an empty bucket', () => {
    spent.take('account', account, 1)
  })
  const flooded = openLimiter(createLimiterBuffer())
  let stranger = 0
  bench.add('limiter: take of an address never seen', () => {
    flooded.take('address', `2001:db8:${(stranger++).toString(16)}::/64`, 60)
  })
}
