import { publicUrlOf } from '#app/config/public-url.ts'
import { isLoopback } from '#app/discovery/announce-gateway.ts'
import { lanAddresses } from '#app/discovery/lan-addresses.ts'
import type { Config } from '#contracts/config.ts'
import type { DiscoveryFacts } from '#domain/doctor/facts.ts'

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
