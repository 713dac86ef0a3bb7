import { isTrustedPeer } from '#transport/http/client-address.ts'
import type { ListenerSettings } from '#transport/http/server-ports.ts'

export interface OriginPorts {
  /** The configuration key `public_url`; may be empty. */
  readonly publicUrl: string
  readonly settings: () => ListenerSettings
}

/**
 * Whether the calling page belongs to this gateway. The host of its origin must be the host of the request,
 * the host that a trusted proxy reports, or that of `public_url`. A caller without an origin is not a page,
 * and is accepted.
 */
export function isOwnOrigin(
  headers: Readonly<Record<string, string | undefined>>,
  remote: ArrayBuffer,
  { publicUrl, settings }: OriginPorts,
): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  if (host === undefined || host === '') return false
  const own = [headers['host'], URL.parse(publicUrl)?.host]
  if (isTrustedPeer(remote, settings().trustedProxies))
    own.push(headers['x-forwarded-host']?.split(',').at(-1)?.trim())
  return own.some(one => one?.toLowerCase() === host)
}
