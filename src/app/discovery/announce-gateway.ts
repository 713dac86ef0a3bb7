import { hostname } from 'node:os'
import type { Log } from '#app/log.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** Time limit of the mDNS goodbye message, which must not delay the stop of the gateway. */
const GOODBYE_MS_MAX = 500

/**
 * Announces the gateway by mDNS as `_roost._tcp`, unless `discovery.enabled` is false or the gateway listens
 * on this machine only. The returned function ends the announcement. A failure is logged, and the gateway
 * goes on: clients that know its address can still use it.
 */
export async function announceGateway(config: Config, log: Log): Promise<() => Promise<void>> {
  if (!config.discovery.enabled || isLoopback(config.http.host)) return async () => {}
  // Imported here, because a gateway that announces nothing does not need it.
  const { openMdns, SERVICE_TYPE } = await import('#app/discovery/mdns.ts')
  const [name = 'roost'] = hostname().split('.')
  const responders = openMdns(error => {
    log.write('warn', 'discovery.failed', { cause: error.message })
  })
  const { http, https } = endpointsOf(config.http)
  const port = http ?? https ?? config.http.port
  for (const responder of responders)
    responder.publish({
      name: `Roost on ${name}`,
      type: SERVICE_TYPE,
      port,
      // The library publishes the name as it is, and only names with `.local` can be resolved.
      host: `${name}.local`,
      txt: { tls: http === null ? '1' : '0', url: config.public_url },
      // With `probe`, the library would publish nothing if another gateway announced the same name.
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

/** Whether only this machine can reach a program that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
