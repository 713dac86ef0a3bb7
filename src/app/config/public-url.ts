import { lanAddress } from '#app/discovery/lan-addresses.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/**
 * The address at which phones and programs on the network reach the gateway. If `public_url` is empty, HTTP
 * is preferred to HTTPS, because most programs do not trust a private certificate by default.
 */
export function publicUrlOf({ public_url, http }: Config): string {
  if (public_url !== '') return public_url.replace(/\/+$/, '')
  return urlAt(isWildcard(http.host) ? (lanAddress() ?? 'localhost') : http.host, http)
}

/** The address at which programs on this machine reach the gateway. */
export function localUrlOf({ http }: Config): string {
  return urlAt(isWildcard(http.host) ? 'localhost' : http.host, http)
}

/** Whether this host means all addresses of the machine. */
function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function urlAt(host: string, settings: Config['http']): string {
  const { http, https } = endpointsOf(settings)
  const [scheme, port] = http === null ? ['https', https] : ['http', http]
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The URL of the device socket, for the agents that this gateway hosts. It has a loopback address in place
 * of a wildcard, so that no name has to be resolved.
 */
export function ownSocketUrl({ http }: Config): string {
  const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const host = loopbackOf[http.host] ?? http.host
  return `${urlAt(host, http).replace(/^http/, 'ws')}/device/v1/socket`
}
