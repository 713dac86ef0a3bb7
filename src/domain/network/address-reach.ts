/**
 * Classifies an address by what it reaches. An IPv6 address that embeds an IPv4 one (mapped, NAT64, 6to4,
 * Teredo …) is classified by the IPv4 address, because a translator would send it there.
 */
import ipaddr from 'ipaddr.js'
import { type Address, formatAddress } from '#domain/network/address.ts'
import { blockOf, isIn } from '#domain/network/address-block.ts'

/** Why an address is never a target, regardless of `allow_private`. */
export type Unreachable =
  | 'unspecified'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'broadcast'
  | 'reserved'

export type Reach = 'public' | 'private' | Unreachable

/** The reach of ranges by their name in ipaddr.js. Every other named range is reserved. */
const REACH_OF_RANGE: Readonly<Record<string, Reach>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  unspecified: 'unspecified',
  loopback: 'loopback',
  linkLocal: 'link-local',
  multicast: 'multicast',
  broadcast: 'broadcast',
}

/**
 * Cloud metadata services, which give credentials to any program on the machine. Some are in ranges that are
 * otherwise allowed.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

/** All assigned and assignable global unicast (IANA IPv6 address space registry). */
const GLOBAL_UNICAST = blockOf('2000::/3')
const IPV4_COMPATIBLE = blockOf('::/96')
const NAT64_LOCAL = blockOf('64:ff9b:1::/48')

/** The address itself, followed by the IPv4 addresses that it embeds. */
export function addressesWithin(address: Address): readonly [Address, ...Address[]] {
  return [address, ...embeddedIn(address)]
}

export function reachOf(address: Address): Reach {
  if (METADATA_ADDRESSES.has(formatAddress(address))) return 'metadata'
  const range = rangeOf(address)
  const inside = embeddedIn(address).map(reachOf)
  if (inside.length > 0) {
    const unreachable = inside.find(reach => reach !== 'public' && reach !== 'private')
    return unreachable ?? (inside.includes('private') ? 'private' : 'public')
  }
  const isIpv6 = address.bytes.length === 16
  if (isIpv6 && range === 'unicast' && !isIn(GLOBAL_UNICAST, address)) return 'reserved'
  return REACH_OF_RANGE[range] ?? 'reserved'
}

/** The address's special range by its name in ipaddr.js, or `unicast`. */
function rangeOf({ bytes }: Address): string {
  return ipaddr.fromByteArray([...bytes]).range()
}

/**
 * The IPv4 addresses inside an IPv6 address. Empty for an IPv4 address, also for a mapped one
 * (`address.ts`).
 */
function embeddedIn(address: Address): Address[] {
  const { bytes } = address
  if (bytes.length === 4) return []
  const at = (...places: number[]): Address => ({ bytes: places.map(place => bytes[place] ?? 0) })
  const last = at(12, 13, 14, 15)
  const range = rangeOf(address)
  if (range === 'unspecified' || range === 'loopback') return []
  if (isIn(IPV4_COMPATIBLE, address)) return [last]
  if (isIn(NAT64_LOCAL, address)) return nat64Local([at(6, 7, 9, 10), last])
  if (range === 'rfc6145' || range === 'rfc6052') return [last]
  if (range === '6to4') return [at(2, 3, 4, 5)]
  if (range === 'teredo') {
    // The server, then the client, whose bits are inverted (RFC 4380, section 4).
    return [at(4, 5, 6, 7), { bytes: last.bytes.map(byte => byte ^ 0xff) }]
  }
  return []
}

/**
 * The IPv4 address inside an address with a network's own NAT64 prefix (RFC 8215). Its position depends on
 * the length of that prefix: the last four bytes, or around byte 8 (RFC 6052, section 2.2). A position with
 * only zeros is not in use.
 */
function nat64Local(places: readonly [Address, Address]): Address[] {
  const used = places.filter(({ bytes }) => bytes.some(byte => byte !== 0))
  return used.length > 0 ? used : [places[1]]
}
