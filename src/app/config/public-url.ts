import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/**
 * Finds the port to listen on: the configured port if it is free, or any free port for 0. The listener
 * threads share their port (SO_REUSEPORT), so a second gateway could open the same port without an error.
 * This check prevents that.
 *
 * @throws the system's Error, with code and port, when the port cannot be opened
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

/** The configuration with each port 0 replaced by a free port. */
export async function withPorts(config: Config): Promise<Config> {
  const { host, port, tls_port } = config.http
  if (tls_port > 0) await findPort({ host, port: tls_port })
  const isHttpsAlone = tls_port > 0 && port === 0
  return isHttpsAlone ? config : { ...config, http: { ...config.http, port: await findPort({ host, port }) } }
}

/**
 * The address at which phones and programs on the network reach the gateway. If `public_url` is empty, HTTP
 * is preferred to HTTPS, because most programs do not trust a private certificate by default.
 */
export function publicUrlOf({ public_url, http }: Config): string {
  if (public_url !== '') return public_url.replace(/\/+$/, '')
  return urlAt(isWildcard(http.host) ? (lanAddress() ?? 'localhost') : http.host, http)
}

/** The address at which programs on this machine reach the gateway. */
export function localUrlOf({ http }: Config): string {
  return urlAt(isWildcard(http.host) ? 'localhost' : http.host, http)
}

/** Whether this host means all addresses of the machine. */
function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function urlAt(host: string, settings: Config['http']): string {
  const { http, https } = endpointsOf(settings)
  const [scheme, port] = http === null ? ['https', https] : ['http', http]
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The device socket for the gateway's hosted agents: by IP address, so that no name has to be resolved. */
export function ownSocketUrl({ http }: Config): string {
  const host = http.host === '0.0.0.0' ? '127.0.0.1' : http.host === '::' ? '::1' : http.host
  return `${urlAt(host, http).replace(/^http/, 'ws')}/device/v1/socket`
}

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
