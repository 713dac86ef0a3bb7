import { readFileSync } from 'node:fs'
import { findPort } from '#app/config/find-port.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { isLoopback } from '#app/discovery/announce-gateway.ts'
import { lanAddresses } from '#app/discovery/lan-addresses.ts'
import type { Config } from '#contracts/config.ts'
import type { BrokerFacts, DiscoveryFacts, PortAnswer, PortFacts } from '#domain/doctor/facts.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** How long the doctor waits to hear the gateway's own mDNS announcement. */
const DISCOVERY_HEARD_MS_MAX = 3_000

/** Listens for mDNS announcements, if a gateway runs here. `port`: its port; null: no gateway runs. */
export async function lookAtNetwork(config: Config, port: number | null): Promise<DiscoveryFacts> {
  const isEnabled = config.discovery.enabled
  const isLocal = isLoopback(config.http.host)
  const addresses = lanAddresses()
  const hasNetwork = addresses.length > 0
  const facts = { isEnabled, isLocal, hasNetwork, isOwnHeard: false, others: [] }
  if (!isEnabled || isLocal || !hasNetwork || port === null) return facts
  // Imported here, because most checks do not need it.
  const { browseGateways } = await import('#app/discovery/find-gateway.ts')
  const heard = (await browseGateways(DISCOVERY_HEARD_MS_MAX)).map(({ url }) => url)
  const ours = new Set([publicUrlOf(config), ...addresses.flatMap(address => urlsAt(address, port))])
  const others = heard.filter(url => !ours.has(url))
  return { ...facts, isOwnHeard: others.length < heard.length, others }
}

function urlsAt(address: string, port: number): string[] {
  return ['http', 'https'].map(scheme => `${scheme}://${address}:${port}`)
}

/** Logs in to the broker of `[mqtt]`. Null: none is set. */
export async function lookAtBroker({ mqtt }: Config): Promise<BrokerFacts | null> {
  const { url, username, password_file } = mqtt
  if (url === '') return null
  // Imported here, because most gateways do not need it.
  const { tryBroker } = await import('#transport/mqtt/connect-broker.ts')
  const password = password_file === '' ? '' : readFileSync(password_file, 'utf8').trim()
  return { url, fault: await tryBroker({ url, username, password }) }
}

/** Checks the configured ports by opening each for a moment. */
export async function lookAtPorts({ http }: Config): Promise<PortFacts> {
  const { host } = http
  const endpoints = endpointsOf(http)
  const wanted = [endpoints.http, endpoints.https].filter(port => port !== null).filter(port => port > 0)
  const ports: { port: number; answer: PortAnswer }[] = []
  for (const port of wanted) {
    const answer = await findPort({ host, port }).then(() => 'free' as const, answerOf)
    ports.push({ port, answer })
  }
  return { host, ports, endpoints }
}

function answerOf(error: unknown): PortAnswer {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') return 'used'
  if (code === 'EACCES' || code === 'EPERM') return 'forbidden'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no-address'
  throw error
}
