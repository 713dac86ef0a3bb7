/**
 * Decides which targets notifications may be sent to. The URL is checked when it is stored and again when it
 * is used. Each address to which its name resolves is checked when a connection is opened (see
 * `guarded-connector.ts`). Both checks are necessary: a name may resolve to any address, and an IP address in
 * a URL is never resolved.
 */
import { URL_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Address, formatAddress, parseHostAddress } from '#domain/network/address.ts'
import { addressesWithin, reachOf, type Unreachable } from '#domain/network/address-reach.ts'
import { type AllowRule, canonicalName, isAllowed, parseAllowRule } from '#domain/network/allow-rules.ts'
import {
  canonicalAddress,
  type Endpoint,
  isLocalName,
  isNeighbour,
  namesNeighbour,
} from '#domain/network/neighbours.ts'

export interface TargetPolicySettings {
  /** Entries in the syntax of `allow-rules.ts`. */
  readonly allowedHosts: readonly string[]
  /** Whether addresses of private networks are allowed. */
  readonly allowPrivate: boolean
  /** Whether loopback is allowed, except for the gateway's own ports. Default: false. */
  readonly allowLoopback?: boolean
  /** The sockets on which the gateway itself listens. */
  readonly ownSockets: readonly { readonly address: string; readonly port: number }[]
  /** Services beside the gateway that are never a target, whatever is allowed. Default: none. */
  readonly neighbours?: readonly Endpoint[]
  /** All addresses of this machine. Called at each check, because DHCP or a VPN may add addresses later. */
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
  | 'neighbour'
  | 'private'
  | Unreachable

export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: TargetRefusal }

/** Names of cloud metadata services, which give out credentials. */
const METADATA_NAME = /^(metadata|instance-data|metadata\.goog|(.+\.)?metadata\.google\.internal)$/

/** @throws Error that names each invalid entry of `allowedHosts` and says what is wrong with it */
export function createTargetPolicy({ allowedHosts, ...settings }: TargetPolicySettings): TargetPolicy {
  const parsed = allowedHosts.map(entry => ({ entry, ...parseAllowRule(entry) }))
  const wrong = parsed.flatMap(one => (one.ok ? [] : [`${JSON.stringify(one.entry)} ${one.message}`]))
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return { ...settings, allowed: parsed.flatMap(one => (one.ok ? [one.rule] : [])) }
}

/** The policy for events of sandbox messages, with which a developer tries a receiver on this machine. */
export function sandboxPolicy(policy: TargetPolicy): TargetPolicy {
  return { ...policy, allowLoopback: true }
}

/** Checks a URL without resolving its name. An accepted name may still resolve to a refused address. */
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

/** The host and port of a URL, even if it names no port. */
export function endpointOf(url: URL): Endpoint {
  const defaultPort = url.protocol === 'https:' ? 443 : 80
  return { hostname: url.hostname, port: url.port === '' ? defaultPort : Number(url.port) }
}

/**
 * Says why an address of `endpoint` is refused; null: it is allowed. If `allowedHosts` has the name of the
 * endpoint, all addresses to which the name resolves are allowed.
 */
export function refusalOfAddress(
  address: Address,
  endpoint: Endpoint,
  policy: TargetPolicy,
): TargetRefusal | null {
  const { port } = endpoint
  if (isNeighbour({ address, port }, policy.neighbours ?? [], policy.localAddresses)) return 'neighbour'
  if (isAllowed(policy.allowed, { host: canonicalName(endpoint.hostname), port })) return null
  if (isAllowed(policy.allowed, { host: address, port })) return null
  if (isOwnSocket(address, port, policy)) return 'own-socket'
  const reach = reachOf(address)
  if (reach === 'public') return null
  if (reach === 'private') return policy.allowPrivate ? null : 'private'
  if (reach === 'loopback' && mayUseLoopback(port, policy)) return null
  return reach
}

function refusalOfName(endpoint: Endpoint, policy: TargetPolicy): TargetRefusal | null {
  const name = canonicalName(endpoint.hostname)
  if (name === '') return 'malformed'
  if (namesNeighbour(endpoint, policy.neighbours ?? [])) return 'neighbour'
  if (isAllowed(policy.allowed, { host: name, port: endpoint.port })) return null
  if (isLocalName(name)) return mayUseLoopback(endpoint.port, policy) ? null : 'local-name'
  return METADATA_NAME.test(name) ? 'metadata' : null
}

/** Every loopback address leads to the gateway's own ports, also where it listens on another address. */
function mayUseLoopback(port: number, { allowLoopback, ownSockets }: TargetPolicy): boolean {
  return allowLoopback === true && ownSockets.every(socket => socket.port !== port)
}

function isOwnSocket(address: Address, port: number, policy: TargetPolicy): boolean {
  const sockets = policy.ownSockets.filter(socket => socket.port === port)
  if (sockets.length === 0) return false
  const own = [...policy.localAddresses(), ...sockets.map(socket => socket.address)]
  const ownTexts = new Set(own.map(canonicalAddress))
  return addressesWithin(address).some(within => ownTexts.has(formatAddress(within)))
}
