import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { type Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'

export interface HttpsRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The only authority that is trusted, PEM. Default: any. */
  readonly ca?: string
  readonly agent?: Agent
}

export interface HttpsAnswer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends one HTTPS request and reads its answer to the end. `fetch` cannot trust an authority of a test. */
export async function askHttps(url: string, given: HttpsRequest = {}): Promise<HttpsAnswer> {
  const { method = 'GET', ca, agent } = given
  const body = given.json === undefined ? '' : JSON.stringify(given.json)
  const headers = {
    ...(given.json !== undefined && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
    ...given.headers,
  }
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca }
  const outgoing = request(url, { method, headers, ...trust, ...(agent !== undefined && { agent }) })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

/** The certificate that the gateway presents to a new connection. */
export async function shownCertificate(port: number) {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new Error('no certificate was shown')
  return certificate
}
