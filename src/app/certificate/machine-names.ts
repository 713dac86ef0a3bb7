import { hostname, networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import { lanAddresses } from '#app/discovery/lan-addresses.ts'
import { formatAddress, parseHostAddress } from '#domain/network/address.ts'

/** A host name (RFC 1123, section 2.1), in which the first part may be the wildcard `*`. */
const NAME = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NAME_LENGTH_MAX = 253

/** The canonical spelling of a host name or IP address for a certificate; null for anything else. */
export function certificateName(text: string): string | null {
  const address = parseHostAddress(text)
  if (address !== null) return formatAddress(address)
  // `domainToASCII` reads a host at the start of the text and ignores the rest.
  if (/[^\p{L}\p{M}\p{N}.*-]/u.test(text)) return null
  const name = domainToASCII(text.replace(/\.$/, '')).toLowerCase()
  return name.length <= NAME_LENGTH_MAX && NAME.test(name) ? name : null
}

/**
 * The names under which clients may reach this machine: the host of `publicUrl`, the host name, the host name
 * with `.local`, `localhost`, and all addresses.
 */
export function machineNames(publicUrl: string, interfaces = networkInterfaces): string[] {
  const full = hostname()
  const host = URL.parse(publicUrl)?.hostname ?? ''
  const given = [host, full, `${full.split('.')[0]}.local`, 'localhost', ...lanAddresses(interfaces)]
  return uniqueNames([...given, '127.0.0.1', '::1'])
}

/** The names in canonical spelling, each once and without the invalid ones. */
export function uniqueNames(names: readonly string[]): string[] {
  return [...new Set(names.map(certificateName).filter(name => name !== null))]
}
