/**
 * Finds the client's address. Any client can send the header of proxies, so only the part that trusted ones
 * wrote is used: its addresses from the right, up to the first one that is not a trusted proxy.
 */

import {
  type Address,
  addressFromBytes,
  formatAddress,
  networkOf,
  parseAddress,
} from '#domain/network/address.ts'
import { type AddressBlock, isInAny } from '#domain/network/address-block.ts'
import { type ForwardedHeader, lastHop } from '#transport/http/forwarded.ts'

/** Addresses read from the header of proxies, the last ones. Real chains of proxies are shorter. */
export const FORWARDED_HOPS_MAX = 32

export interface ClientAddress {
  readonly address: Address
  /** The address as text, for logs and answers. */
  readonly text: string
  /**
   * The key of the client's rate limit: an IPv4 address or an IPv6 /64. Each home has a whole /64 or more, so
   * a limit for a single IPv6 address would have no effect.
   */
  readonly bucketKey: string
}

export interface Peer {
  /** The remote address of the socket, 4 or 16 bytes, as uWebSockets.js returns it. */
  readonly remote: ArrayBuffer
  /** The headers of the request by their names in lower case, repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface ProxyRules {
  readonly trustedProxies: readonly AddressBlock[]
  /** The one header that is read. */
  readonly forwarded: ForwardedHeader
  /** Called with a header of a trusted proxy that cannot be read. */
  readonly unreadable?: (text: string) => void
}

/**
 * Stands for the address of a closed socket, which has none. Only a rule for `::/0`, or for `::` itself,
 * contains it.
 */
const UNSPECIFIED: Address = { bytes: new Array<number>(16).fill(0) }
const CLIENT_BITS = 64

/**
 * The address of the caller. The search ends at an invalid entry, because the entries left of it cannot be
 * trusted; the result is then the last valid proxy.
 */
export function readClientAddress({ remote, headers }: Peer, rules: ProxyRules): ClientAddress {
  const { trustedProxies, forwarded, unreadable } = rules
  const value = headers[forwarded] ?? ''
  let client = addressFromBytes(new Uint8Array(remote)) ?? UNSPECIFIED
  if (value === '' || !isInAny(trustedProxies, client)) return describeAddress(client)
  let end = value.length
  for (let hop = 0; hop < FORWARDED_HOPS_MAX && end >= 0; hop++) {
    const { address, text, before } = lastHop(forwarded, value, end)
    if (address === null) unreadable?.(text)
    if (address === null || address === 'unknown') break
    client = address
    if (!isInAny(trustedProxies, client)) break
    end = before
  }
  return describeAddress(client)
}

/** The other end of a connection, without regard to any header. */
export function clientOfSocket(remote: ArrayBuffer): ClientAddress {
  return describeAddress(addressFromBytes(new Uint8Array(remote)) ?? UNSPECIFIED)
}

/** The client of a socket, by the address that Node gives. */
export function clientAt(text: string): ClientAddress {
  return describeAddress(parseAddress(text) ?? UNSPECIFIED)
}

/** Whether the remote address is one of `http.trusted_proxies`. */
export function isTrustedPeer(remote: ArrayBuffer, trustedProxies: readonly AddressBlock[]): boolean {
  const address = addressFromBytes(new Uint8Array(remote))
  return address !== null && isInAny(trustedProxies, address)
}

function describeAddress(address: Address): ClientAddress {
  const text = formatAddress(address)
  const isIpv4 = address.bytes.length === 4
  return {
    address,
    text,
    bucketKey: isIpv4 ? text : `${formatAddress(networkOf(address, CLIENT_BITS))}/${CLIENT_BITS}`,
  }
}
