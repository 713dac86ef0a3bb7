/**
 * The entries of `notifications.allowed_hosts` and `devices.allowed_hosts`: `nas.lan`, `*.example.lan`
 * (sub-domains only), `192.168.1.5`, `127.0.0.0/8`, `::1`. An entry with a port allows only that port:
 * `nas.lan:9000`, `192.168.1.5:9000`, `[::1]:9000`.
 */
import { type Address, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { type AddressBlock, isIn, parseAddressBlock } from '#domain/network/address-block.ts'
import { addressesWithin } from '#domain/network/address-reach.ts'

type Host =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'subdomains'; readonly suffix: string }
  | { readonly kind: 'block'; readonly block: AddressBlock }

export interface AllowRule {
  readonly host: Host
  /** Null: every port. */
  readonly port: number | null
}

export type AllowRuleParsed =
  | { readonly ok: true; readonly rule: AllowRule }
  | { readonly ok: false; readonly message: string }

/** Where a request would go: a name, or one address of it. */
export interface Destination {
  readonly host: string | Address
  readonly port: number
}

/** `[::1]:9000`, `nas.lan:9000`, or either without a port. */
const HOST_AND_PORT = /^(?:\[(?<address>[^\]]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/
const PORT_MAX = 65_535
const FORMS = 'must be a host name, *.name, an address or a CIDR block, such as nas.lan, nas.lan:9000 or ::1'

/** Reads one entry; `message` says what is wrong and how to fix it. */
export function parseAllowRule(entry: string): AllowRuleParsed {
  const text = entry.trim().toLowerCase()
  if (parseAddress(text) !== null) return blockRule(text, null)
  if (/^[\d.:[\]a-f]+\//.test(text)) return blockRule(text.replace(/^\[(.*)\](?=\/)/, '$1'), null)
  const { address, host, port: digits } = HOST_AND_PORT.exec(text)?.groups ?? {}
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > PORT_MAX)) return refused(`must have a port of 1 to ${PORT_MAX}`)
  if (address !== undefined) return blockRule(address, port)
  if (host === undefined) return refused(FORMS)
  return parseAddress(host) === null ? nameRule(host, port) : blockRule(host, port)
}

/**
 * Whether the rules allow the destination. An address that embeds IPv4 addresses is allowed if a rule covers
 * it, or if rules cover all that it embeds.
 */
export function isAllowed(rules: readonly AllowRule[], { host, port }: Destination): boolean {
  const open = rules.filter(rule => rule.port === null || rule.port === port)
  if (typeof host === 'string') return open.some(rule => namesHost(rule.host, host))
  const [itself, ...embedded] = addressesWithin(host)
  if (open.some(rule => holdsAddress(rule.host, itself))) return true
  return embedded.length > 0 && embedded.every(address => open.some(rule => holdsAddress(rule.host, address)))
}

/** The canonical form of a name: lower case, without a trailing dot. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.+$/, '')
}

function namesHost(rule: Host, name: string): boolean {
  if (rule.kind === 'name') return rule.name === name
  return rule.kind === 'subdomains' && name.endsWith(rule.suffix)
}

function holdsAddress(rule: Host, address: Address): boolean {
  return rule.kind === 'block' && isIn(rule.block, address)
}

function blockRule(text: string, port: number | null): AllowRuleParsed {
  const parsed = parseAddressBlock(text)
  return parsed.ok ? accepted({ kind: 'block', block: parsed.block }, port) : refused(parsed.message)
}

function nameRule(host: string, port: number | null): AllowRuleParsed {
  const wildcard = host.startsWith('*.')
  const name = canonicalName(wildcard ? host.slice(2) : host)
  if (!/^[^\s/?#@\\*]+$/.test(name)) return refused(FORMS)
  // A parsed URL has internationalised names in their ASCII form, so the rule needs the same form.
  const url = URL.parse(`http://${name}/`)
  if (url === null || parseHostAddress(url.hostname) !== null) return refused(FORMS)
  const canonical = canonicalName(url.hostname)
  return accepted(
    wildcard ? { kind: 'subdomains', suffix: `.${canonical}` } : { kind: 'name', name: canonical },
    port,
  )
}

function accepted(host: Host, port: number | null): AllowRuleParsed {
  return { ok: true, rule: { host, port } }
}

function refused(message: string): AllowRuleParsed {
  return { ok: false, message }
}
