import { formatAddress, networkOf, parseAddress } from '#domain/network/address.ts'

const IPV4_BITS = 24
/** The largest network that a provider usually assigns to one customer. */
const IPV6_BITS = 48

/**
 * The network of an address, as text (`203.0.113.0/24`). One person can easily use hundreds of addresses of
 * the same network. `address` is the key of a rate limit: an IPv4 address, or a /64 of IPv6.
 */
export function loginNetworkOf(address: string): string {
  const [text = ''] = address.split('/')
  const parsed = parseAddress(text)
  if (parsed === null) return address
  const bits = parsed.bytes.length === 4 ? IPV4_BITS : IPV6_BITS
  return `${formatAddress(networkOf(parsed, bits))}/${bits}`
}
