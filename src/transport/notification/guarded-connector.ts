/**
 * Opens connections for notifications, only to checked addresses. Each connection resolves its name once, and
 * the socket gets the checked addresses. So a name server cannot answer first with a public address and then
 * with loopback (DNS rebinding). Host header, SNI and certificate name stay those of the URL. If one address
 * of a name is refused, the whole name is, because happy eyeballs (RFC 8305) could choose any of them.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookupName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { formatAddress, parseHostAddress } from '#domain/network/address.ts'
import {
  type Endpoint,
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
  { policy, resolve, timeoutMs, ca }: GuardedConnectorOptions,
): buildConnector.connector {
  const endpoint = endpointOf(origin)
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup(endpoint, policy, resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NOTIFICATION_ADDRESS_MS_MAX,
    allowH2: false,
    ...(ca === undefined ? {} : { ca }),
  })
  return (options, callback) => {
    // An IP address in the URL is never looked up, so it is checked here.
    const literal = parseHostAddress(endpoint.hostname)
    const reason = literal === null ? null : refusalOfAddress(literal, endpoint, policy())
    if (reason === null) connect(options, callback)
    else callback(new RefusedTargetError(reason), null)
  }
}

function guardedLookup(endpoint: Endpoint, policy: () => TargetPolicy, resolve: ResolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname)
      .then(texts => checkedAddresses(texts, endpoint, policy()))
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
