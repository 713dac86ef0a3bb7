/** Identifies the source of a call and its rate-limit bucket. */
import { SESSION_CALLS_PER_MINUTE } from '#contracts/session-bounds.ts'
import type { Principal } from '#domain/account/principal.ts'
import { limitReached } from '#domain/problem.ts'
import type { Take } from '#domain/rate-limit/rate-limiter.ts'
import { type ClientAddress, isTrustedPeer, readClientAddress } from '#transport/http/client-address.ts'
import type { Exchange } from '#transport/http/exchange.ts'
import type { ServerPorts } from '#transport/http/server.ts'

export const API = '/api/v1'

type CountingPorts = Pick<ServerPorts, 'limiter' | 'plan' | 'trustedProxies' | 'anonymousCallsPerMinute'>

export function clientOf(exchange: Exchange, ports: CountingPorts): ClientAddress {
  const forwardedFor = exchange.headers['x-forwarded-for'] ?? ''
  return readClientAddress({ remote: exchange.address, forwardedFor }, ports.trustedProxies)
}

/** Whether the caller's browser speaks HTTPS: to us, or to a proxy that is trusted. */
export function isSecure(exchange: Exchange, { trustedProxies }: CountingPorts): boolean {
  if (exchange.isTls) return true
  const forwarded = exchange.headers['x-forwarded-proto']?.split(',').at(-1)?.trim().toLowerCase()
  return forwarded === 'https' && isTrustedPeer(exchange.address, trustedProxies)
}

/** Takes the call from the account's bucket, or from the address's if the caller is unknown. */
export function countCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): void {
  if (exchange.path.startsWith(API) || exchange.path.startsWith('/device/'))
    chargeCall(exchange, principal, ports)
}

/**
 * As `countCall`, whatever the path is.
 *
 * @throws Problem RATE_LIMIT_EXCEEDED
 */
export function chargeCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): void {
  const take = takeCall(exchange, principal, ports)
  exchange.rate = take
  if (take.allowed) return
  throw limitReached(`more than ${take.limit} calls a minute`, take)
}

function takeCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): Take {
  // Calls from a browser do not use up the limit of the account's programs.
  if (principal?.session !== undefined)
    return ports.limiter.take('address', `session ${principal.session.id}`, SESSION_CALLS_PER_MINUTE)
  if (principal !== null)
    return ports.limiter.take('account', principal.accountId, ports.plan(principal.plan).callsPerMinute)
  return ports.limiter.take('address', clientOf(exchange, ports).bucketKey, ports.anonymousCallsPerMinute)
}

/** The address's bucket, with nothing taken from it. */
export function addressRate(exchange: Exchange, ports: CountingPorts): Take {
  return ports.limiter.peek('address', clientOf(exchange, ports).bucketKey, ports.anonymousCallsPerMinute)
}
