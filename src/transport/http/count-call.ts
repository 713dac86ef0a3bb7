/** Finds the client of a call, and counts the call against its rate limit. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { ProblemCode } from '#contracts/problem.ts'
import type { Principal } from '#domain/account/principal.ts'
import { limitReached, Problem } from '#domain/problem.ts'
import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import { type ClientAddress, isTrustedPeer, readClientAddress } from '#transport/http/client-address.ts'
import type { Exchange } from '#transport/http/exchange.ts'
import type { ServerPorts } from '#transport/http/server-ports.ts'

/** Calls a minute in one session. They do not count towards the plan's limit of the account. */
export const SESSION_CALLS_PER_MINUTE = 600

export const API = '/api/v1'

/** Longest body that is parsed while its caller's address has no calls left: a text for one number. */
const SPENT_BYTES_MAX = 2048

const UNREADABLE: ReadonlySet<ProblemCode> = new Set(['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'] as const)

type CountingPorts = Pick<ServerPorts, 'limiter' | 'plan' | 'settings'>

export function clientOf(exchange: Exchange, ports: CountingPorts): ClientAddress {
  return readClientAddress({ remote: exchange.address, headers: exchange.headers }, ports.settings())
}

/** Whether the caller uses HTTPS, to the gateway itself or to a trusted proxy. */
export function isSecure(exchange: Exchange, { settings }: CountingPorts): boolean {
  if (exchange.isTls) return true
  const forwarded = exchange.headers['x-forwarded-proto']?.split(',').at(-1)?.trim().toLowerCase()
  return forwarded === 'https' && isTrustedPeer(exchange.address, settings().trustedProxies)
}

/** Counts calls of the API and of devices: against the account, or the address of an unknown caller. */
export function countApiCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): void {
  if (exchange.path.startsWith(API) || exchange.path.startsWith('/device/'))
    countCall(exchange, principal, ports)
}

/**
 * Counts a call on any path.
 *
 * @throws Problem RATE_LIMIT_EXCEEDED
 */
export function countCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): void {
  const decision = takeCall(exchange, principal, ports)
  exchange.rate = decision
  if (decision.allowed) return
  throw limitReached(`more than ${decision.limit} calls a minute: wait before the next call`, decision)
}

function takeCall(exchange: Exchange, principal: Principal | null, ports: CountingPorts): RateDecision {
  // A session has its own limit, so that a browser does not use up the limit of the account's programs.
  if (principal?.session !== undefined) {
    const { accountId, session } = principal
    const own = ports.limiter.take('address', `session ${session.id}`, SESSION_CALLS_PER_MINUTE)
    if (!own.allowed) return own
    const all = ports.limiter.take('address', `sessions of ${accountId}`, ACCOUNT_BOUNDS.sessionCalls.most)
    return all.allowed ? own : all
  }
  if (principal !== null)
    return ports.limiter.take('account', principal.accountId, ports.plan(principal.plan).callsPerMinute)
  return countStranger(ports, exchange.address, exchange.headers)
}

/** The state of the address's rate limit, without counting a call. */
export function addressRate(exchange: Exchange, ports: CountingPorts): RateDecision {
  return ports.limiter.peek(
    'address',
    clientOf(exchange, ports).bucketKey,
    ports.settings().anonymousCallsPerMinute,
  )
}

/** @throws Problem for a body that takes long to parse, while its caller's address has no calls left */
export function refuseLong({ isUncounted, rate }: Exchange, length: number): void {
  if (!isUncounted || rate === null || rate.allowed || length <= SPENT_BYTES_MAX) return
  throw limitReached(`too many calls from this address for a body above ${SPENT_BYTES_MAX} bytes`, rate)
}

/** Counts a call that was refused before its body said who calls. Returns the Problem to answer with. */
export function countUnread(exchange: Exchange, ports: CountingPorts, error: unknown): unknown {
  if (!exchange.isUncounted || !(error instanceof Problem) || !UNREADABLE.has(error.code)) return error
  try {
    countCall(exchange, null, ports)
    return error
  } catch (refusal) {
    return refusal
  }
}

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
