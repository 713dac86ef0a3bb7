import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '#contracts/config.ts'

/**
 * The port to listen on: the configured one if it is free, or for 0 any free one. The listeners share
 * theirs among themselves (SO_REUSEPORT), and so would a second gateway without anybody noticing: hence this
 * look.
 *
 * @throws Error of the system, with code and port, when it cannot be had
 */
export function findPort({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address()
      const found = typeof address === 'object' && address !== null ? address.port : port
      probe.close(() => resolve(found))
    })
  })
}

/** How phones and programs on the network reach the gateway, where the configuration does not say. */
export function publicUrlOf({ public_url, http }: Config): string {
  if (public_url !== '') return public_url.replace(/\/+$/, '')
  const scheme = http.tls_cert_file === '' ? 'http' : 'https'
  const everywhere = http.host === '0.0.0.0' || http.host === '::'
  const host = everywhere ? (lanAddress() ?? 'localhost') : http.host
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${http.port}`
}

/** Bridges and tunnels of this machine alone, which phones do not reach. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|lxc|cni|flannel|podman|vmnet|tun|tap)/

/** The first address that others may reach; one of a real card before that of a bridge. */
export function lanAddress(interfaces = networkInterfaces): string | undefined {
  const [best] = Object.entries(interfaces())
    .flatMap(([name, addresses]) => (addresses ?? []).map(address => ({ name, ...address })))
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .toSorted((a, b) => Number(VIRTUAL.test(a.name)) - Number(VIRTUAL.test(b.name)))
  return best?.address
}
