/**
 * Which targets a notification may be sent to. Asked twice: about the URL, when it is stored and again when
 * it is used, and about each address that its name resolves to, when the connection is opened (see
 * `guarded-connector.ts`). Neither may ever be left out: a name says nothing about where it will lead, and an
 * address in a URL is never resolved.
 */
import { URL_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Address, formatAddress, parseHostAddress } from '#domain/network/address.ts'
import { addressesWithin, reachOf, type Unreachable } from '#domain/network/address-reach.ts'
import { type AllowRule, canonicalName, isAllowed, parseAllowRule } from '#domain/network/allow-rules.ts'

export interface TargetPolicySettings {
  /** See `allow-rules.ts` for the forms. */
  readonly allowedHosts: readonly string[]
  /** Private LAN ranges are targets. */
  readonly allowPrivate: boolean
  /** What the gateway itself listens on. */
  readonly ownSockets: readonly { readonly address: string; readonly port: number }[]
  /** All addresses of this machine, asked at each check: an address may come later, by DHCP or a VPN. */
  readonly localAddresses: () => readonly string[]
}

export interface TargetPolicy extends Omit<TargetPolicySettings, 'allowedHosts'> {
  readonly allowed: readonly AllowRule[]
}

export type TargetRefusal =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'local-name'
  | 'metadata'
  | 'own-socket'
  | 'private'
  | Unreachable

export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: TargetRefusal }

/** Where a connection is about to go; the host as the URL has it, the port always given. */
export interface Endpoint {
  readonly hostname: string
  readonly port: number
}

/** Names that mean this machine without asking a resolver (RFC 6761, section 6.3, and usual hosts files). */
const LOCAL_NAME = /^((.+\.)?(localhost|localdomain)|ip6-(localhost|loopback|localnet)|broadcasthost)\d?$/
const METADATA_NAME = /^(metadata|instance-data|metadata\.goog|(.+\.)?metadata\.google\.internal)$/

/** @throws Error naming each entry of `allowedHosts` that cannot be read, with what is wrong */
export function createTargetPolicy({ allowedHosts, ...settings }: TargetPolicySettings): TargetPolicy {
  const parsed = allowedHosts.map(entry => ({ entry, ...parseAllowRule(entry) }))
  const wrong = parsed.flatMap(one => (one.ok ? [] : [`${JSON.stringify(one.entry)} ${one.message}`]))
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return { ...settings, allowed: parsed.flatMap(one => (one.ok ? [one.rule] : [])) }
}

/** Judges a URL by itself; a name that is not refused here may still lead to a refused address. */
export function checkTargetUrl(text: string, policy: TargetPolicy): TargetVerdict {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text)
  if (url === null) return { ok: false, reason: 'malformed' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, reason: 'scheme' }
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials' }
  const endpoint = endpointOf(url)
  if (endpoint.port === 0) return { ok: false, reason: 'port' }
  const address = parseHostAddress(endpoint.hostname)
  const reason =
    address === null ? refusalOfName(endpoint, policy) : refusalOfAddress(address, endpoint, policy)
  return reason === null ? { ok: true, url } : { ok: false, reason }
}

/** The host and port that a URL stands for. */
export function endpointOf(url: URL): Endpoint {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return { hostname: url.hostname, port }
}

/**
 * Judges one address that `endpoint` is or resolves to; null when it may be connected to. A rule for the
 * endpoint's name covers every address it resolves to: who lists a name trusts its resolver.
 */
export function refusalOfAddress(
  address: Address,
  endpoint: Endpoint,
  policy: TargetPolicy,
): TargetRefusal | null {
  const { port } = endpoint
  if (isAllowed(policy.allowed, { host: canonicalName(endpoint.hostname), port })) return null
  if (isAllowed(policy.allowed, { host: address, port })) return null
  if (isOwnSocket(address, port, policy)) return 'own-socket'
  const reach = reachOf(address)
  if (reach === 'public') return null
  if (reach === 'private') return policy.allowPrivate ? null : 'private'
  return reach
}

function refusalOfName(endpoint: Endpoint, policy: TargetPolicy): TargetRefusal | null {
  const name = canonicalName(endpoint.hostname)
  if (name === '') return 'malformed'
  if (isAllowed(policy.allowed, { host: name, port: endpoint.port })) return null
  if (LOCAL_NAME.test(name)) return 'local-name'
  return METADATA_NAME.test(name) ? 'metadata' : null
}

function isOwnSocket(address: Address, port: number, policy: TargetPolicy): boolean {
  const sockets = policy.ownSockets.filter(socket => socket.port === port)
  if (sockets.length === 0) return false
  const own = [...policy.localAddresses(), ...sockets.map(socket => socket.address)]
  const ownTexts = new Set(own.map(canonicalAddress))
  return addressesWithin(address).some(within => ownTexts.has(formatAddress(within)))
}

function canonicalAddress(text: string): string | null {
  const address = parseHostAddress(text)
  return address === null ? null : formatAddress(address)
}
