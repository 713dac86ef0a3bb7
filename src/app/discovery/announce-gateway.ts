import { hostname } from 'node:os'
import type { Log } from '#app/log.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** How long a goodbye may take: nobody is waited for when the gateway stops. */
const GOODBYE_MS_MAX = 500

/**
 * Tells the network where the gateway is, as `_roost._tcp`, unless that is switched off or only this machine
 * reaches it. What is returned ends that. What fails is logged, and the gateway goes on: whoever knows its
 * address still finds it.
 */
export async function announceGateway(config: Config, log: Log): Promise<() => Promise<void>> {
  if (!config.discovery.enabled || isLoopback(config.http.host)) return async () => {}
  // Loaded here: a gateway that announces nothing does without it.
  const { openMdns, SERVICE_TYPE } = await import('#app/discovery/mdns.ts')
  const [name = 'roost'] = hostname().split('.')
  const responders = openMdns(error => {
    log.write('warn', 'the gateway cannot be found by mDNS', { cause: error.message })
  })
  const { http, https } = endpointsOf(config.http)
  const port = http ?? https ?? config.http.port
  for (const responder of responders)
    responder.publish({
      name: `Roost on ${name}`,
      type: SERVICE_TYPE,
      port,
      // Without the domain the name would be published bare, and nobody could resolve it.
      host: `${name}.local`,
      txt: { tls: http === null ? '1' : '0', url: config.public_url },
      // Two gateways of one name are two hosts of one name: that is for their owner to mend.
      probe: false,
    })
  return async () => {
    const goodbyes = responders.map(
      responder => new Promise<void>(done => responder.unpublishAll(() => done())),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(done => {
      timer = setTimeout(done, GOODBYE_MS_MAX)
    })
    await Promise.race([Promise.all(goodbyes), late])
    clearTimeout(timer)
    for (const responder of responders) responder.destroy()
  }
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
