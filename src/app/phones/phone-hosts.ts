/**
 * Decides to which hosts the gateway may connect as phones: hosts in private networks, and those in
 * `devices.allowed_hosts`, but never a neighbour of the gateway.
 */
import { lookup } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { localAddresses } from '#app/config/target-policy.ts'
import { type Address, formatAddress, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import { type AllowRule, canonicalName, isAllowed, parseAllowRule } from '#domain/network/allow-rules.ts'
import { type Endpoint, isNeighbour } from '#domain/network/neighbours.ts'
import { endpointOf } from '#transport/notification/target-guard.ts'

export interface PhoneRules {
  readonly allowed: readonly AllowRule[]
  readonly neighbours: readonly Endpoint[]
}

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
export async function refusalOfPhone(
  url: string,
  { allowed, neighbours }: PhoneRules,
): Promise<string | null> {
  const endpoint = endpointOf(new URL(url))
  const { hostname, port } = endpoint
  const literal = parseHostAddress(hostname)
  const found = literal === null ? await addressesOf(hostname) : [literal]
  if (found.length === 0) return `the name ${hostname} cannot be resolved: use the address that the app shows`
  const near = neighbours.filter(one => one.port === port)
  const resolved = await Promise.all(near.map(one => addressesOf(one.hostname)))
  const known = [...near, ...resolved.flat().map(one => ({ hostname: formatAddress(one), port }))]
  if (found.some(address => isNeighbour({ address, port }, known, localAddresses)))
    return `${hostname}:${port} is a service beside this gateway, and no phone`
  const rules = { allowed, neighbours }
  return found.every(address => isAllowedPhone(address, endpoint, rules)) ? null : notPrivate(hostname)
}

async function addressesOf(hostname: string): Promise<Address[]> {
  const found = await resolveName(hostname, { all: true }).catch(() => [])
  return found.flatMap(({ address }) => parseAddress(address) ?? [])
}

/**
 * A look-up that yields only allowed addresses. It runs for each connection, because a name's address may
 * change.
 */
export function guardedLookup(url: string, rules: PhoneRules): LookupFunction {
  const { port } = endpointOf(new URL(url))
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const usable = found.filter(({ address }) => {
        const parsed = parseAddress(address)
        return parsed !== null && isAllowedPhone(parsed, { hostname, port }, rules)
      })
      const [first] = usable
      if (first === undefined) callback(new Error(notPrivate(hostname)), [])
      else if (options.all === true) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}

function isAllowedPhone(address: Address, { hostname, port }: Endpoint, rules: PhoneRules): boolean {
  const { allowed, neighbours } = rules
  if (isNeighbour({ address, port }, neighbours, localAddresses)) return false
  if (reachOf(address) === 'private') return true
  return (
    isAllowed(allowed, { port, host: address }) || isAllowed(allowed, { port, host: canonicalName(hostname) })
  )
}

function notPrivate(hostname: string): string {
  return `${hostname} is not in a private network: if this is your phone, list it in devices.allowed_hosts`
}
