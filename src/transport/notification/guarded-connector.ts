/**
 * Opens connections for notifications, only to checked addresses. Each connection resolves its name once, and
 * the socket gets the checked addresses. So a name server cannot answer first with a public address and then
 * with loopback (DNS rebinding). Host header, SNI and certificate name stay those of the URL. If one address
 * of a name is refused, the whole name is, because happy eyeballs (RFC 8305) could choose any of them.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookupName } from 'node:dns/promises'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { formatAddress, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import type { Endpoint } from '#domain/network/neighbours.ts'
import {
  endpointOf,
  refusalOfAddress,
  type TargetPolicy,
  type TargetRefusal,
} from '#transport/notification/target-guard.ts'

/**
 * If a name has several addresses: how long one is tried before the next. Node's default, 250 ms, is too
 * short for slow mobile links.
 */
const NOTIFICATION_ADDRESS_MS_MAX = 1_000

/** Finds all addresses of a name. Without any, it returns an empty list or rejects. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>

export interface GuardedConnectorOptions {
  /** The targets that are allowed now; asked again for each connection. */
  readonly policy: () => TargetPolicy
  readonly resolve: ResolveName
  /** Time limit of name resolution, TCP and TLS together. */
  readonly timeoutMs: number
  /** Called with each connection to an address that is not public. */
  readonly reachedPrivate: (origin: string, socket: Socket) => void
  /** Authorities (PEM) to trust instead of those built into Node.js. */
  readonly ca?: string | undefined
}

export class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError'
  readonly code = 'REFUSED_TARGET'
  readonly reason: TargetRefusal

  constructor(reason: TargetRefusal) {
    super(`target refused: ${reason}`)
    this.reason = reason
  }
}

/**
 * Resolves a name by the operating system: with hosts file, mDNS and DNS, so that names of the local network
 * work. libuv uses at most half of its threads for this, so slow look-ups can delay other names (see
 * `shareLookUps`), but not files or hashing.
 */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const found = await lookupName(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** Makes the connector for one origin. */
export function createGuardedConnector(
  origin: URL,
  { policy, resolve, timeoutMs, ca, reachedPrivate }: GuardedConnectorOptions,
): buildConnector.connector {
  const endpoint = endpointOf(origin)
  const policyNow = () => withResolved(policy(), endpoint.port, resolve)
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup(endpoint, policyNow, resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NOTIFICATION_ADDRESS_MS_MAX,
    allowH2: false,
    ...(ca === undefined ? {} : { ca }),
  })
  const noteReach = (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? '')
    if (address === null || reachOf(address) !== 'public') reachedPrivate(origin.origin, socket)
  }
  return (options, callback) => {
    const open = () =>
      connect(options, (...result) => {
        if (result[0] === null) noteReach(result[1])
        callback(...result)
      })
    // An IP address in the URL is never looked up, so it is checked here.
    const literal = parseHostAddress(endpoint.hostname)
    if (literal === null) return open()
    void policyNow().then(known => {
      const reason = refusalOfAddress(literal, endpoint, known)
      if (reason === null) open()
      else callback(new RefusedTargetError(reason), null)
    })
  }
}

/** The policy with the addresses of the neighbours at this port that it knows by their names. */
async function withResolved(policy: TargetPolicy, port: number, resolve: ResolveName): Promise<TargetPolicy> {
  const { neighbours = [] } = policy
  const named = neighbours.filter(one => one.port === port && parseHostAddress(one.hostname) === null)
  if (named.length === 0) return policy
  // A name that is not found is no way to the neighbour, for the gateway either.
  const found = await Promise.all(named.map(({ hostname }) => resolve(hostname).catch(() => [])))
  return { ...policy, neighbours: [...neighbours, ...found.flat().map(hostname => ({ hostname, port }))] }
}

function guardedLookup(
  endpoint: Endpoint,
  policy: () => Promise<TargetPolicy>,
  resolve: ResolveName,
): LookupFunction {
  return (hostname, { all }, callback) => {
    Promise.all([resolve(hostname), policy()])
      .then(([texts, known]) => checkedAddresses(texts, endpoint, known))
      .then(
        addresses => {
          const [first] = addresses
          if (all === true) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      )
  }
}

function checkedAddresses(
  texts: readonly string[],
  endpoint: Endpoint,
  policy: TargetPolicy,
): [LookupAddress, ...LookupAddress[]] {
  const addresses = texts.map(text => {
    const address = parseHostAddress(text)
    const reason = address === null ? 'malformed' : refusalOfAddress(address, endpoint, policy)
    if (address === null || reason !== null) throw new RefusedTargetError(reason ?? 'malformed')
    return { address: formatAddress(address), family: address.bytes.length === 4 ? 4 : 6 }
  })
  const [first, ...others] = addresses
  if (first === undefined) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
  return [first, ...others]
}
