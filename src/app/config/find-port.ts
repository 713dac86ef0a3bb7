import { createServer } from 'node:net'
import type { Config } from '#contracts/config.ts'

/** Ports that the system does not hand out by itself (from 32,768), and a part of them for each process. */
const OWN_CHOICE = { from: 10_000, span: 22_000, perProcess: 100 }
let chosen = 0

/**
 * Finds the port to listen on: the configured port if it is free, or any free port if it is 0. The listener
 * threads share their port (SO_REUSEPORT), so a second gateway could open the same port without an error.
 * This check prevents that.
 *
 * The port is closed again until the listener threads open it. So a port of the system's choice could become
 * another program's in between, or the end of an outgoing connection. The ports chosen here rarely do.
 *
 * @throws the system's Error, with code and port, when the port cannot be opened
 */
export async function findPort({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<number> {
  if (port !== 0) return open(host, port)
  for (let tries = 1; ; tries += 1) {
    const next = OWN_CHOICE.from + ((process.pid * OWN_CHOICE.perProcess + chosen++) % OWN_CHOICE.span)
    try {
      return await open(host, next)
    } catch (error) {
      if (!isTaken(error) || tries === OWN_CHOICE.span) throw error
    }
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

function open(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(port)))
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
