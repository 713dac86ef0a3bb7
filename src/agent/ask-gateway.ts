/** One HTTP request to the gateway. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AgentError, reasonOf, trustOf } from '#agent/agent-error.ts'

/** Largest answer that the agent reads when it pairs or downloads the authority's certificate. */
const GATEWAY_ANSWER_BYTES_MAX = 65_536
/** Time limit of a request to the gateway: pairing, or the download of the authority's certificate. */
const AGENT_PAIR_MS_MAX = 15_000

export interface GatewayCall {
  readonly url: string
  /** The body of a POST. Left out: the request is a GET. */
  readonly json?: object
  /** PEM of the only authority to trust. Left out: those built into Node.js are trusted. */
  readonly ca?: string | undefined
  /** Accepts any certificate. Only for an answer that the caller verifies itself. */
  readonly acceptsAnyCertificate?: boolean
}

export interface GatewayAnswer {
  readonly httpStatus: number
  readonly body: string
}

/**
 * Redirects are not followed, because the WebSocket does not follow them either.
 *
 * @throws AgentError when no answer arrives, or the answer is a redirect or too long
 */
export async function askGateway(call: GatewayCall, signal: AbortSignal): Promise<GatewayAnswer> {
  const timeout = AbortSignal.timeout(AGENT_PAIR_MS_MAX)
  try {
    const response = await responseTo(call, AbortSignal.any([signal, timeout]))
    const { statusCode: httpStatus = 0, headers } = response
    if (httpStatus >= 300 && httpStatus < 400 && headers.location !== undefined) {
      response.destroy()
      throw new AgentError(`The gateway redirects ${call.url} to ${headers.location}: use that address.`)
    }
    return { httpStatus, body: await readBody(response) }
  } catch (error) {
    if (error instanceof AgentError) throw error
    const reason = timeout.aborted ? 'it does not answer' : reasonOf(error, trustOf(call.ca))
    throw new AgentError(`The gateway at ${new URL(call.url).origin} cannot be reached: ${reason}.`)
  }
}

function responseTo(
  { url, json, ca, acceptsAnyCertificate }: GatewayCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = json === undefined ? '' : JSON.stringify(json)
    const options = {
      method: json === undefined ? 'GET' : 'POST',
      agent: false,
      signal,
      headers:
        json === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    }
    const outgoing = url.startsWith('https:')
      ? requestHttps(url, {
          ...options,
          ...(ca !== undefined && { ca }),
          rejectUnauthorized: acceptsAnyCertificate !== true,
        })
      : requestHttp(url, options)
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    outgoing.end(body)
  })
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > GATEWAY_ANSWER_BYTES_MAX) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
