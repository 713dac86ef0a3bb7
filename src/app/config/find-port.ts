import { createServer } from 'node:net'
import type { Config } from '#contracts/config.ts'

/**
 * Finds the port to listen on: the configured port if it is free, or any free port if it is 0. The listener
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

/**
 * The configuration with `http.port` 0 replaced by a free port. If HTTPS is on, 0 means that there is no
 * plain HTTP, and stays.
 *
 * @throws as `findPort`, when a configured port cannot be opened
 */
export async function withPorts(config: Config): Promise<Config> {
  const { host, port, tls_port } = config.http
  if (tls_port > 0) await findPort({ host, port: tls_port })
  const isHttpsAlone = tls_port > 0 && port === 0
  return isHttpsAlone ? config : { ...config, http: { ...config.http, port: await findPort({ host, port }) } }
}
