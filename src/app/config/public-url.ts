import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/**
 * The port to listen on: the configured one if it is free, or for 0 any free one. The listeners share their
 * port (SO_REUSEPORT), so a second gateway could open it too without an error: this check prevents that.
 *
 * @throws Error of the system, with code and port, when it cannot be opened
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
 * How phones and programs on the network reach the gateway. If the configuration does not say, plain HTTP is
 * preferred: most programs do not trust a private certificate by default.
 */
export function publicUrlOf({ public_url, http }: Config): string {
  if (public_url !== '') return public_url.replace(/\/+$/, '')
  return urlAt(isEverywhere(http.host) ? (lanAddress() ?? 'localhost') : http.host, http)
}

/** Where a program on this machine reaches the gateway. */
export function localUrlOf({ http }: Config): string {
  return urlAt(isEverywhere(http.host) ? 'localhost' : http.host, http)
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function urlAt(host: string, settings: Config['http']): string {
  const { http, https } = endpointsOf(settings)
  const [scheme, port] = http === null ? ['https', https] : ['http', http]
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where the agents that the gateway hosts reach it: by an address, which needs no look-up. */
export function ownSocketUrl({ http }: Config): string {
  const host = http.host === '0.0.0.0' ? '127.0.0.1' : http.host === '::' ? '::1' : http.host
  return `${urlAt(host, http).replace(/^http/, 'ws')}/device/v1/socket`
}

/** Bridges and tunnels that exist only on this machine; phones do not reach them. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|lxc|cni|flannel|podman|vmnet|tun|tap)/

/** The first address that others may reach; physical interfaces before bridges. */
export function lanAddress(interfaces = networkInterfaces): string | undefined {
  return lanAddresses(interfaces).find(address => !address.includes(':'))
}

/** Every address that others may reach, IPv4 first; physical interfaces before bridges. */
export function lanAddresses(interfaces = networkInterfaces): string[] {
  return Object.entries(interfaces())
    .flatMap(([name, addresses]) => (addresses ?? []).map(address => ({ name, ...address })))
    .filter(({ address, internal }) => !internal && !/^fe[89ab]/i.test(address))
    .toSorted((a, b) => Number(VIRTUAL.test(a.name)) - Number(VIRTUAL.test(b.name)))
    .toSorted((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'))
    .map(({ address }) => address)
}
