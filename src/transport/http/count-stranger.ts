import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import { readClientAddress } from '#transport/http/client-address.ts'
import type { ServerPorts } from '#transport/http/server-ports.ts'

/** What counting the calls of an address needs. */
export type StrangerPorts = Pick<ServerPorts, 'limiter' | 'settings'>

/** Counts one call, or one failed upgrade, of a caller who is known by the address alone. */
export function countStranger(
  { limiter, settings }: StrangerPorts,
  remote: ArrayBuffer,
  headers: Readonly<Record<string, string | undefined>>,
): RateDecision {
  const { bucketKey } = readClientAddress({ remote, headers }, settings())
  return limiter.take('address', bucketKey, settings().anonymousCallsPerMinute)
}
