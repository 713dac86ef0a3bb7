import type { Config } from '#contracts/config.ts'
import type { Endpoint } from '#domain/network/neighbours.ts'

/** The port of each scheme where the URL names none. Mails leave by that of submission. */
const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'mqtt:': 1883,
  'mqtts:': 8883,
  'smtp:': 587,
  'smtps:': 465,
}
/** Where members of etcd talk to one another. By habit it is also the port after that of clients. */
const ETCD_PEER_PORT = 2380

/** The services beside the gateway that the configuration names. `members`: addresses of its cluster. */
export function neighboursOf(
  { cluster, mqtt, mail, smtp }: Pick<Config, 'cluster' | 'mqtt' | 'mail' | 'smtp'>,
  members: readonly string[] = [],
): Endpoint[] {
  const etcd = endpointsAt(cluster.etcd).flatMap(({ hostname, port }) =>
    [port, port + 1, ETCD_PEER_PORT].map(one => ({ hostname, port: one })),
  )
  const others = endpointsAt([cluster.advertise_url, mqtt.url, mail.smtp_url, ...members])
  return [...etcd, ...others, ...(smtp.port === 0 ? [] : [{ hostname: smtp.host, port: smtp.port }])]
}

function endpointsAt(urls: readonly string[]): Endpoint[] {
  return urls.flatMap(text => {
    const url = URL.parse(text)
    if (url === null) return []
    return [{ hostname: url.hostname, port: url.port === '' ? (PORTS[url.protocol] ?? 0) : Number(url.port) }]
  })
}
