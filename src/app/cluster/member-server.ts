/**
 * What a gateway that does not lead answers: whether it lives, what it knows of the cluster, its metrics, and
 * to everything else where the leader is. It answers at the same ports, and the listeners take them later.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { metricsOf } from '#app/cluster/cluster-metrics.ts'
import type { Log } from '#app/log.ts'
import type { ClusterState } from '#contracts/cluster.ts'
import type { Config } from '#contracts/config.ts'
import { causeOf } from '#domain/cause.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { Problem } from '#domain/problem.ts'
import { type HttpAnswer, JSON_TYPE } from '#transport/http/http-answer.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'

/** Connections at the same time: a load balancer, a monitor, and clients that look for the leader. */
const CONNECTIONS_MAX = 256
/** A request must be complete in this time. */
const REQUEST_MS_MAX = 10_000
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface MemberServerPorts {
  readonly config: Config
  readonly log: Log
  readonly state: () => ClusterState
}

export class MemberServer {
  readonly #ports: MemberServerPorts
  #servers: Server[] = []

  constructor(ports: MemberServerPorts) {
    this.#ports = ports
  }

  /** Opens the ports. */
  async open(): Promise<void> {
    const { http: settings } = this.#ports.config
    const { http, https } = endpointsOf(settings)
    const answer: RequestListener = (request, response) => this.#answer(request, response)
    if (http !== null) this.#servers.push(await listen(createServer(answer), { ...settings, port: http }))
    const server = https === null ? null : tlsServer(this.#ports, answer)
    if (https !== null && server !== null)
      this.#servers.push(await listen(server, { ...settings, port: https }))
  }

  /** Opens the ports again, with the certificate that is there now. */
  async reopen(): Promise<void> {
    await this.close()
    await this.open()
  }

  /** Closes the ports and all connections. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(close))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    const { status, contentType, body, headers } = answerTo(request.url ?? '/', this.#ports.state())
    response.writeHead(status, {
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function tlsServer({ config, log }: MemberServerPorts, answer: RequestListener): Server | null {
  const { tls_cert_file, tls_key_file } = config.http
  try {
    return createTlsServer({ cert: readFileSync(tls_cert_file), key: readFileSync(tls_key_file) }, answer)
  } catch (error) {
    // A gateway that has not joined may have no certificate yet.
    log.write('warn', 'cluster.no_https', { cause: causeOf(error) })
    return null
  }
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<Server> {
  server.maxConnections = CONNECTIONS_MAX
  server.requestTimeout = REQUEST_MS_MAX
  server.headersTimeout = REQUEST_MS_MAX
  const listening = once(server, 'listening')
  server.listen({ host, port, exclusive: true })
  await listening
  server.on('error', () => {})
  return server
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function answerTo(url: string, state: ClusterState): HttpAnswer {
  const [path] = url.split('?')
  if (path === '/healthz') return json({ success: true, data: { status: 'ok' } })
  if (path === '/cluster') return json(state)
  if (path === '/metrics')
    return { status: 200, contentType: METRICS_TYPE, body: metricsOf(state), headers: {} }
  const where =
    state.leader === null ? 'no gateway leads now' : `${state.leader.name} leads: ${state.leader.url}`
  const leader = state.leader?.url ?? null
  return problemAnswer(
    new Problem('SERVICE_UNAVAILABLE', `this gateway does not lead its cluster (${where})`, {
      retryAfterS: 5,
      leader,
    }),
  )
}

function json(value: unknown): HttpAnswer {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(value), headers: {} }
}
