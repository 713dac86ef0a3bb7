import { networkInterfaces } from 'node:os'

/** Bridges and tunnels inside this machine, which phones cannot reach. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|lxc|cni|flannel|podman|vmnet|tun|tap)/

/** The first IPv4 address that other machines may reach; physical interfaces come before bridges. */
export function lanAddress(interfaces = networkInterfaces): string | undefined {
  return lanAddresses(interfaces).find(address => !address.includes(':'))
}

/** All addresses that other machines may reach: IPv4 first, and physical interfaces before bridges. */
export function lanAddresses(interfaces = networkInterfaces): string[] {
  return Object.entries(interfaces())
    .flatMap(([name, addresses]) => (addresses ?? []).map(address => ({ name, ...address })))
    .filter(({ address, internal }) => !internal && !/^fe[89ab]/i.test(address))
    .toSorted((a, b) => Number(VIRTUAL.test(a.name)) - Number(VIRTUAL.test(b.name)))
    .toSorted((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'))
    .map(({ address }) => address)
}
