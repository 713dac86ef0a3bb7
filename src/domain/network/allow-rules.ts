/**
 * The entries of `notifications.allowed_hosts`: `nas.lan`, `*.example.lan` (sub-domains only), `192.168.1.5`,
 * `127.0.0.0/8`, `::1`, and with a port that alone is allowed `nas.lan:9000`, `192.168.1.5:9000`,
 * `[::1]:9000`.
 */
import ipaddr from 'ipaddr.js'
import { type Address, addressesWithin, parseAddress } from '#domain/network/address-reach.ts'

type Host =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'subdomains'; readonly suffix: string }
  | { readonly kind: 'range'; readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number] }

export interface AllowRule {
  readonly host: Host
  /** Null: every port. */
  readonly port: number | null
}

/** Where a request would go: a name, or one address of it. */
export interface Destination {
  readonly host: string | Address
  readonly port: number
}

/** Reads one entry; null when it has none of the forms above. */
export function parseAllowRule(entry: string): AllowRule | null {
  const text = entry.trim().toLowerCase()
  if (text.includes('/')) return cidrRule(text)
  const whole = parseAddress(text)
  if (whole !== null) return addressRule(whole, null)
  const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text)
  const host = parts?.[1]
  if (host === undefined) return null
  const port = parts?.[2] === undefined ? null : Number(parts[2])
  if (port !== null && (port < 1 || port > 65_535)) return null
  const address = parseAddress(host)
  return address === null ? nameRule(host, port) : addressRule(address, port)
}

/** True when a rule names the destination; an address that carries an IPv4 one is allowed by either form. */
export function isAllowed(rules: readonly AllowRule[], { host, port }: Destination): boolean {
  const open = rules.filter(rule => rule.port === null || rule.port === port)
  if (typeof host === 'string') return open.some(rule => namesHost(rule.host, host))
  const [itself, ...carried] = addressesWithin(host)
  if (open.some(rule => holdsAddress(rule.host, itself))) return true
  return carried.length > 0 && carried.every(address => open.some(rule => holdsAddress(rule.host, address)))
}

/** A name as rules and checks compare it: lower case, without the dot of the root. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.+$/, '')
}

function namesHost(rule: Host, name: string): boolean {
  if (rule.kind === 'name') return rule.name === name
  return rule.kind === 'subdomains' && name.endsWith(rule.suffix)
}

function holdsAddress(rule: Host, address: Address): boolean {
  return rule.kind === 'range' && rule.range[0].kind() === address.kind() && address.match(rule.range)
}

function cidrRule(text: string): AllowRule | null {
  const bare = text.replace(/^\[(.*)\](?=\/)/, '$1')
  if (parseAddress(bare.replace(/\/.*$/, '')) === null || !ipaddr.isValidCIDR(bare)) return null
  return { host: { kind: 'range', range: ipaddr.parseCIDR(bare) }, port: null }
}

function addressRule(address: Address, port: number | null): AllowRule {
  return { host: { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128] }, port }
}

function nameRule(host: string, port: number | null): AllowRule | null {
  const wildcard = host.startsWith('*.')
  const name = canonicalName(wildcard ? host.slice(2) : host)
  if (!/^[^\s/?#@\\*]+$/.test(name)) return null
  // As a URL has it: internationalised names in their ASCII form.
  const url = URL.parse(`http://${name}/`)
  if (url === null || parseAddress(url.hostname) !== null) return null
  const canonical = canonicalName(url.hostname)
  return {
    host: wildcard ? { kind: 'subdomains', suffix: `.${canonical}` } : { kind: 'name', name: canonical },
    port,
  }
}
