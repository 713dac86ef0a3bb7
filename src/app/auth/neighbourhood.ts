import { formatAddress, networkOf, parseAddress } from '#domain/network/address.ts'

const IPV4_BITS = 24
/** A provider gives one customer up to this much. */
const IPV6_BITS = 48

/**
 * The network that an address belongs to, as text: one person gets hold of hundreds of addresses in it as
 * easily as of one. `address` is the key of a rate limit: an IPv4 address, or a /64 of IPv6.
 */
export function neighbourhoodOf(address: string): string {
  const [text = ''] = address.split('/')
  const parsed = parseAddress(text)
  if (parsed === null) return address
  const bits = parsed.bytes.length === 4 ? IPV4_BITS : IPV6_BITS
  return `${formatAddress(networkOf(parsed, bits))}/${bits}`
}
