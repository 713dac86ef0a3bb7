/**
 * Services beside the gateway that obey it or hold its data: etcd, the other members, the broker, mail
 * servers. An account must never reach one of them through the gateway.
 */
import { type Address, formatAddress, parseHostAddress } from '#domain/network/address.ts'
import { addressesWithin, reachOf } from '#domain/network/address-reach.ts'
import { canonicalName } from '#domain/network/allow-rules.ts'

/** A host as in a URL, and a port. */
export interface Endpoint {
  readonly hostname: string
  readonly port: number
}

/** Names that mean this machine (RFC 6761, section 6.3, and usual hosts files). */
const LOCAL_NAME = /^((.+\.)?(localhost|localdomain)|ip6-(localhost|loopback|localnet)|broadcasthost)\d?$/

export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(canonicalName(hostname))
}

/** Whether the URL's host is written as that of a neighbour. */
export function namesNeighbour({ hostname, port }: Endpoint, neighbours: readonly Endpoint[]): boolean {
  const name = canonicalName(hostname)
  const near = neighbours.filter(one => one.port === port)
  return near.some(
    one => canonicalName(one.hostname) === name || (isLocalName(name) && isThisMachine(one.hostname, [])),
  )
}

/**
 * Whether a neighbour listens at this address and port. One on this machine may listen at each of its
 * addresses. Neighbours that are names must have been resolved. `local`: the addresses of this machine.
 */
export function isNeighbour(
  { address, port }: { readonly address: Address; readonly port: number },
  neighbours: readonly Endpoint[],
  local: () => readonly string[],
): boolean {
  const near = neighbours.filter(one => one.port === port)
  if (near.length === 0) return false
  const own = local()
  const isOneHere = near.some(({ hostname }) => isThisMachine(hostname, own))
  const known = new Set(near.map(({ hostname }) => canonicalAddress(hostname)))
  return addressesWithin(address).some(
    within => known.has(formatAddress(within)) || (isOneHere && isThisMachine(formatAddress(within), own)),
  )
}

function isThisMachine(hostname: string, own: readonly string[]): boolean {
  const address = parseHostAddress(hostname)
  if (address === null) return isLocalName(hostname)
  const reach = reachOf(address)
  if (reach === 'loopback' || reach === 'unspecified') return true
  return own.some(one => canonicalAddress(one) === formatAddress(address))
}

/** The usual form of an address; null: the text is none. */
export function canonicalAddress(text: string): string | null {
  const address = parseHostAddress(text)
  return address === null ? null : formatAddress(address)
}
