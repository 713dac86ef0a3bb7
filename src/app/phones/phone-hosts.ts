/**
 * Decides to which hosts the gateway may connect as phones: hosts in private networks, and those in
 * `devices.allowed_hosts`.
 */
import { lookup } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Address, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import { type AllowRule, canonicalName, isAllowed, parseAllowRule } from '#domain/network/allow-rules.ts'

/** Parses `devices.allowed_hosts`. Its entries are valid, because the configuration was checked. */
export function parseAllowedHosts(entries: readonly string[]): readonly AllowRule[] {
  return entries.flatMap(entry => {
    const parsed = parseAllowRule(entry)
    return parsed.ok ? [parsed.rule] : []
  })
}

/**
 * A sentence that says why this URL is not allowed for a phone; null: it is allowed.
 *
 * @param url as `readPhoneAddress` returns it
 */
export async function refusalOfPhone(url: string, allowed: readonly AllowRule[]): Promise<string | null> {
  const { hostname, port } = new URL(url)
  const literal = parseHostAddress(hostname)
  if (literal !== null)
    return isAllowedPhone(literal, { hostname, port, allowed }) ? null : notPrivate(hostname)
  const found = await resolveName(hostname, { all: true }).catch(() => null)
  if (found === null) return `the name ${hostname} cannot be resolved: use the address that the app shows`
  const areAllowed = found.every(({ address }) => {
    const parsed = parseAddress(address)
    return parsed !== null && isAllowedPhone(parsed, { hostname, port, allowed })
  })
  return areAllowed ? null : notPrivate(hostname)
}

/**
 * A look-up that yields only allowed addresses. It runs for each connection, because a name's address may
 * change.
 */
export function guardedLookup(url: string, allowed: readonly AllowRule[]): LookupFunction {
  const { port } = new URL(url)
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const usable = found.filter(({ address }) => {
        const parsed = parseAddress(address)
        return parsed !== null && isAllowedPhone(parsed, { hostname, port, allowed })
      })
      const [first] = usable
      if (first === undefined) callback(new Error(notPrivate(hostname)), [])
      else if (options.all === true) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}

interface PhoneTarget {
  readonly hostname: string
  readonly port: string
  readonly allowed: readonly AllowRule[]
}

function isAllowedPhone(address: Address, { hostname, port, allowed }: PhoneTarget): boolean {
  if (reachOf(address) === 'private') return true
  const at = { port: Number(port) }
  return (
    isAllowed(allowed, { ...at, host: address }) ||
    isAllowed(allowed, { ...at, host: canonicalName(hostname) })
  )
}

function notPrivate(hostname: string): string {
  return `${hostname} is not in a private network: if this is your phone, list it in devices.allowed_hosts`
}
