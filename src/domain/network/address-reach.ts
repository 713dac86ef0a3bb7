/**
 * Where an address leads. An IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4, Teredo …) is judged
 * by what it carries, since that is where a translator on the way would send it.
 */
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Why an address is not a target whatever `allow_private` says. */
export type Unreachable =
  | 'unspecified'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'broadcast'
  | 'reserved'

export type Reach = 'public' | 'private' | Unreachable

/** Every other range that ipaddr.js knows by name is reserved. */
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

/** Where clouds serve credentials to whoever asks from inside; some lie in ranges that are otherwise fine. */
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

/** All of global unicast that is or will be given out (IANA IPv6 address space registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')
const NAT64_LOCAL = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')

/** Reads an address, with or without brackets and zone; null when the text is a name. */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (bare.includes(':') && ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare)
  return null
}

/** The address itself and, after it, the IPv4 addresses that it carries. */
export function addressesWithin(address: Address): readonly [Address, ...Address[]] {
  return address instanceof ipaddr.IPv4 ? [address] : [address, ...carried(address)]
}

export function reachOf(address: Address): Reach {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata'
  const range: string = address.range()
  if (address instanceof ipaddr.IPv4 || range === 'unspecified' || range === 'loopback') {
    return REACH_OF_RANGE[range] ?? 'reserved'
  }
  const inside = carried(address).map(reachOf)
  if (inside.length > 0) {
    return (
      inside.find(reach => reach !== 'public' && reach !== 'private') ?? inside.find(isPrivate) ?? 'public'
    )
  }
  if (range === 'unicast' && !address.match(GLOBAL_UNICAST)) return 'reserved'
  return REACH_OF_RANGE[range] ?? 'reserved'
}

function isPrivate(reach: Reach): boolean {
  return reach === 'private'
}

function carried(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const at = (...places: number[]) => new ipaddr.IPv4(places.map(place => bytes[place] ?? 0))
  const last = at(12, 13, 14, 15)
  if (address.match(IPV4_COMPATIBLE)) return isUnspecifiedOrLoopback(address) ? [] : [last]
  if (address.match(NAT64_LOCAL)) return nat64Local([at(6, 7, 9, 10), last])
  const range: string = address.range()
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [last]
  if (range === '6to4') return [at(2, 3, 4, 5)]
  if (range === 'teredo') {
    // The server, then the client, whose bits are inverted (RFC 4380, section 4).
    return [at(4, 5, 6, 7), new ipaddr.IPv4(last.octets.map(octet => octet ^ 0xff))]
  }
  return []
}

/**
 * A network chooses how long its own NAT64 prefix is (RFC 8215), and with it where the IPv4 address stands:
 * in the last four bytes, or around byte 8 (RFC 6052, section 2.2). A place that is all zero is not the one
 * in use.
 */
function nat64Local(places: readonly [ipaddr.IPv4, ipaddr.IPv4]): ipaddr.IPv4[] {
  const used = places.filter(place => place.octets.some(octet => octet !== 0))
  return used.length > 0 ? used : [places[1]]
}

function isUnspecifiedOrLoopback(address: ipaddr.IPv6): boolean {
  const range = address.range()
  return range === 'unspecified' || range === 'loopback'
}
