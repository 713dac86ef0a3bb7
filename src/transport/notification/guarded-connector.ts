/**
 * Opens connections for notifications, and only to addresses that were checked. A name is resolved once for
 * each connection and the very addresses that passed are handed to the socket, which never asks a resolver
 * again: one that answers a public address first and loopback second gains nothing. Host header, SNI and the
 * certificate's name stay those of the URL. If one address of a name is refused the whole name is, since
 * happy eyeballs would otherwise choose among them.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookupName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { NOTIFICATION_ADDRESS_MS_MAX } from '#contracts/notification-bounds.ts'
import { formatAddress, parseHostAddress } from '#domain/network/address.ts'
import {
  type Endpoint,
  endpointOf,
  refusalOfAddress,
  type TargetPolicy,
  type TargetRefusal,
} from '#transport/notification/target-guard.ts'

/** All addresses of a name; an empty list or a rejection when there are none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>

export interface GuardedConnectorOptions {
  readonly policy: TargetPolicy
  readonly resolve: ResolveName
  /** Resolution, TCP and TLS together. */
  readonly timeoutMs: number
  /** PEM certificates trusted in place of the usual ones. */
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
 * The resolver of the operating system: hosts file, mDNS and DNS, so that names of the LAN work. libuv gives
 * it half of its threads at the most, so a hanging resolver holds up other names (see `lookUpSparingly`) but
 * no file or hash.
 */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const found = await lookupName(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** The connector of one origin. */
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
    // A literal address is connected to without any lookup, so it is judged here.
    const literal = parseHostAddress(endpoint.hostname)
    const reason = literal === null ? null : refusalOfAddress(literal, endpoint, policy)
    if (reason === null) connect(options, callback)
    else callback(new RefusedTargetError(reason), null)
  }
}

function guardedLookup(endpoint: Endpoint, policy: TargetPolicy, resolve: ResolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname)
      .then(texts => checkedAddresses(texts, endpoint, policy))
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
