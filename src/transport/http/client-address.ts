/**
 * Finds the client's address. Any client can send `X-Forwarded-For`, so it is trusted only as far as trusted
 * proxies wrote it: from the right, up to the first address that is not such a proxy.
 */
import { FORWARDED_HOPS_MAX } from '#contracts/bounds.ts'
import {
  type Address,
  addressFromBytes,
  formatAddress,
  networkOf,
  parseAddress,
} from '#domain/network/address.ts'
import { type AddressBlock, isInAny } from '#domain/network/address-block.ts'

export interface ClientAddress {
  readonly address: Address
  /** As it is logged and shown. */
  readonly text: string
  /**
   * The key of its rate limit: an IPv4 address, or the /64 of an IPv6 one. A single home has at least a
   * whole /64, so a limit for single IPv6 addresses would have no effect.
   */
  readonly bucketKey: string
}

export interface Peer {
  /** Raw bytes of the socket's other end, 4 or 16, as uWebSockets.js gives them. */
  readonly remote: ArrayBuffer
  /** Every `X-Forwarded-For` of the request, in order, joined by commas; `''` without one. */
  readonly forwardedFor: string
}

/** For a socket without an address (it is gone already). No rule that a person writes names it. */
const UNSPECIFIED: Address = { bytes: new Array<number>(16).fill(0) }
const CLIENT_BITS = 64

/**
 * The address of the caller. A malformed entry ends the search: entries left of it are not trusted, and the
 * last valid proxy is the result.
 */
export function readClientAddress(peer: Peer, trustedProxies: readonly AddressBlock[]): ClientAddress {
  let client = addressFromBytes(new Uint8Array(peer.remote)) ?? UNSPECIFIED
  if (peer.forwardedFor === '' || !isInAny(trustedProxies, client)) return described(client)
  let end = peer.forwardedFor.length
  for (let hop = 0; hop < FORWARDED_HOPS_MAX && end >= 0; hop++) {
    const comma = end === 0 ? -1 : peer.forwardedFor.lastIndexOf(',', end - 1)
    const address = parseAddress(peer.forwardedFor.slice(comma + 1, end).trim())
    if (address === null) break
    client = address
    if (!isInAny(trustedProxies, client)) break
    end = comma
  }
  return described(client)
}

/** Whether the socket's other end is a proxy that the owner named. */
export function isTrustedPeer(remote: ArrayBuffer, trustedProxies: readonly AddressBlock[]): boolean {
  const address = addressFromBytes(new Uint8Array(remote))
  return address !== null && isInAny(trustedProxies, address)
}

function described(address: Address): ClientAddress {
  const text = formatAddress(address)
  const isIpv4 = address.bytes.length === 4
  return {
    address,
    text,
    bucketKey: isIpv4 ? text : `${formatAddress(networkOf(address, CLIENT_BITS))}/${CLIENT_BITS}`,
  }
}
