/** Which hosts may be phones that the gateway reaches: those of private networks, and those allowed. */
import { lookup } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Address, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import { type AllowRule, canonicalName, isAllowed, parseAllowRule } from '#domain/network/allow-rules.ts'

/** Parses entries of `devices.allowed_hosts`. The configuration was checked, so all can be parsed. */
export function allowedPhones(entries: readonly string[]): readonly AllowRule[] {
  return entries.flatMap(entry => {
    const parsed = parseAllowRule(entry)
    return parsed.ok ? [parsed.rule] : []
  })
}

/**
 * Why a URL may not be a phone's, as a message; null: it may.
 *
 * @param url as `readPhoneAddress` gives it
 */
export async function refusalOfPhone(url: string, allowed: readonly AllowRule[]): Promise<string | null> {
  const { hostname, port } = new URL(url)
  const literal = parseHostAddress(hostname)
  if (literal !== null) return isFit(literal, { hostname, port, allowed }) ? null : notPrivate(hostname)
  const found = await lookUp(hostname, { all: true }).catch(() => null)
  if (found === null) return `the name ${hostname} is not known: write the address that the app shows`
  const fit = found.every(({ address }) => {
    const parsed = parseAddress(address)
    return parsed !== null && isFit(parsed, { hostname, port, allowed })
  })
  return fit ? null : notPrivate(hostname)
}

/** Names are resolved for each connection, because their address may have changed. */
export function guardedLookup(url: string, allowed: readonly AllowRule[]): LookupFunction {
  const { port } = new URL(url)
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const fit = found.filter(({ address }) => {
        const parsed = parseAddress(address)
        return parsed !== null && isFit(parsed, { hostname, port, allowed })
      })
      const [first] = fit
      if (first === undefined) callback(new Error('not an address of a private network'), [])
      else if (options.all === true) callback(null, fit)
      else callback(null, first.address, first.family)
    })
  }
}

interface Judged {
  readonly hostname: string
  readonly port: string
  readonly allowed: readonly AllowRule[]
}

function isFit(address: Address, { hostname, port, allowed }: Judged): boolean {
  if (reachOf(address) === 'private') return true
  const at = { port: Number(port) }
  return (
    isAllowed(allowed, { ...at, host: address }) ||
    isAllowed(allowed, { ...at, host: canonicalName(hostname) })
  )
}

function notPrivate(hostname: string): string {
  return `${hostname} is not in a private network: list it in devices.allowed_hosts if it is a phone of yours`
}
