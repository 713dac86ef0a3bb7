/**
 * Internet addresses as bytes. An IPv4 address inside an IPv6 one (`::ffff:192.0.2.1`), as a dual-stack
 * socket shows it, is treated as the IPv4 address everywhere. Otherwise a rule for one notation would miss a
 * client that comes with the other.
 *
 * The text is checked here before ipaddr.js reads it, because ipaddr.js also accepts `10.1`, `010.0.0.1`,
 * `0x0a.0.0.1` and zones, and reads `::192.0.2.1` as the mapped address.
 */
import ipaddr from 'ipaddr.js'

/** Four bytes for IPv4, sixteen for IPv6. A mapped IPv4 address always has four. */
export interface Address {
  readonly bytes: readonly number[]
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
const IPV6 = /^[0-9a-fA-F:]{2,39}$/
/** The longest text: six groups of four hex digits, and an IPv4 address of 15 characters. */
const TEXT_LENGTH_MAX = 45
const MAPPED_PREFIX: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** Reads one address in full notation; null for anything else, zones and ports included. */
export function parseAddress(text: string): Address | null {
  if (text.length > TEXT_LENGTH_MAX) return null
  if (IPV4.test(text)) return { bytes: text.split('.').map(Number) }
  const dotted = text.lastIndexOf(':') + 1
  const tail = text.slice(dotted)
  const groups = IPV4.test(tail) ? text.slice(0, dotted) + asGroups(tail) : text
  if (!IPV6.test(groups) || !ipaddr.IPv6.isValid(groups)) return null
  return addressFromBytes(ipaddr.IPv6.parse(groups).toByteArray())
}

/**
 * Parses the host of a URL, or an address from a resolver or the system. Like `parseAddress`, but also
 * accepts brackets (`[::1]`) and a zone (`fe80::1%eth0`), which is ignored. Null for a name.
 */
export function parseHostAddress(host: string): Address | null {
  return parseAddress(host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, ''))
}

/** The address of 4 or 16 raw bytes; null for any other number of them. */
export function addressFromBytes(bytes: ArrayLike<number>): Address | null {
  if (bytes.length !== 4 && bytes.length !== 16) return null
  const all = Array.from(bytes)
  return { bytes: MAPPED_PREFIX.every((byte, i) => all[i] === byte) ? all.slice(MAPPED_PREFIX.length) : all }
}

/**
 * The canonical text of an address: dotted, or lower-case and shortened.
 * @see RFC 5952
 */
export function formatAddress(address: Address): string {
  if (address.bytes.length === 4) return address.bytes.join('.')
  return ipaddr.fromByteArray([...address.bytes]).toString()
}

/** The address with all bits after the first `bits` set to zero. */
export function networkOf(address: Address, bits: number): Address {
  return { bytes: address.bytes.map((byte, i) => byte & prefixMask(bits - 8 * i)) }
}

/** A byte whose first `bits` bits are set. At most 0: none; from 8 on: all. */
export function prefixMask(bits: number): number {
  return (0xff00 >> Math.max(0, Math.min(8, bits))) & 0xff
}

function asGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}
