/**
 * Multicast DNS (RFC 6762) and service discovery (RFC 6763), with one responder or browser for each IPv4
 * address of this machine. Naming the interface makes it work without a default route, where the system could
 * not choose an interface for multicast.
 */
import { networkInterfaces } from 'node:os'
import { Bonjour } from 'bonjour-service'

/** The type of `_roost._tcp`. */
export const SERVICE_TYPE = 'roost'

/** One for each address that the network can reach. `failed` is called once if a responder's socket fails. */
export function openMdns(failed: (error: Error) => void): Bonjour[] {
  return lanAddresses().map(address => {
    // Multicast reaches only a socket that is bound to all addresses.
    const options = { interface: address, bind: '0.0.0.0' }
    return new Bonjour(options as ConstructorParameters<typeof Bonjour>[0], failed)
  })
}

function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}
