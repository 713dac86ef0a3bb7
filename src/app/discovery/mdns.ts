/**
 * Multicast DNS (RFC 6762) and service discovery (RFC 6763), with one socket for each IPv4 address of this
 * machine. Without a default route the system cannot choose an interface for multicast, so each socket names
 * its own.
 */
import { isIPv4 } from 'node:net'
import { Bonjour } from 'bonjour-service'
import { lanAddresses } from '#app/discovery/lan-addresses.ts'

/** The service type `_roost._tcp`, without its underscores and its protocol. */
export const SERVICE_TYPE = 'roost'

/** Opens one socket for each address. `failed` is called when one of them fails. */
export function openMdns(failed: (error: Error) => void): Bonjour[] {
  const addresses = lanAddresses().filter(isIPv4)
  return addresses.map(address => {
    // Only a socket that is bound to all addresses receives multicast.
    const options = { interface: address, bind: '0.0.0.0' }
    return new Bonjour(options as ConstructorParameters<typeof Bonjour>[0], failed)
  })
}
