import type { AddressBlock } from '#domain/network/address-block.ts'
import { isTrustedPeer } from '#transport/http/client-address.ts'

export interface OriginPorts {
  /** As configured; may be empty. */
  readonly publicUrl: string
  readonly trustedProxies: readonly AddressBlock[]
}

/**
 * Whether the requesting page came from this gateway: the host of its origin is the requested host, the host
 * that a trusted proxy was asked for, or that of `public_url`. A caller without an origin is not a page.
 */
export function isOwnOrigin(
  headers: Readonly<Record<string, string | undefined>>,
  remote: ArrayBuffer,
  { publicUrl, trustedProxies }: OriginPorts,
): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  if (host === undefined || host === '') return false
  const own = [headers['host'], URL.parse(publicUrl)?.host]
  if (isTrustedPeer(remote, trustedProxies)) own.push(headers['x-forwarded-host']?.split(',').at(-1)?.trim())
  return own.some(one => one?.toLowerCase() === host)
}
