import { hostname } from 'node:os'
import type { Log } from '#app/log.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** How long the mDNS goodbye may take: it must not delay the stop of the gateway. */
const GOODBYE_MS_MAX = 500

/**
 * Announces the gateway as `_roost._tcp`, unless that is switched off or only this machine can reach it. The
 * returned function ends the announcement. Failures are logged and the gateway continues: clients that know
 * its address still find it.
 */
export async function announceGateway(config: Config, log: Log): Promise<() => Promise<void>> {
  if (!config.discovery.enabled || isLoopback(config.http.host)) return async () => {}
  // Loaded here, because a gateway that announces nothing does not need it.
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
      // Without `.local` the name would be published bare, and could not be resolved.
      host: `${name}.local`,
      txt: { tls: http === null ? '1' : '0', url: config.public_url },
      // No probing: two hosts with the same name are for their owner to rename.
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
