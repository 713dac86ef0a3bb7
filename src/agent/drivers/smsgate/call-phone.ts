/** One HTTP request to a phone's local server. */
import { type IncomingMessage, request } from 'node:http'
import type { LookupFunction } from 'node:net'
import { systemCode } from '#agent/agent-error.ts'
import type { Clock } from '#agent/clock.ts'

/** Time limit of one call to the SMSGate app. A sleeping phone on Wi-Fi needs some seconds to answer. */
export const SMSGATE_CALL_MS_MAX = 10_000
/** Largest answer read from the app: an inbox page of 100 texts of ten segments fits easily. */
const SMSGATE_ANSWER_BYTES_MAX = 1_048_576

export interface PhoneAccess {
  /** A base URL, as `readPhoneAddress` returns it. */
  readonly url: string
  readonly username: string
  readonly password: string
  /** Replaces the system's look-up of host names. */
  readonly lookup?: LookupFunction
  /** False: the gateway that runs this agent no longer leads its cluster, so nothing may be sent. */
  readonly mayTransmit?: (() => boolean) | undefined
}

export interface PhoneCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path with its query. */
  readonly path: string
  readonly body?: object
  /** False: send no user name and password, because the host may not be the phone. */
  readonly withPassword?: boolean
  readonly timeoutMs?: number
  /** Largest answer that is read; `SMSGATE_ANSWER_BYTES_MAX` by default. */
  readonly answerBytesMax?: number
}

export interface PhoneAnswer {
  readonly httpStatus: number
  /** Undefined if the answer is not JSON. */
  readonly json: unknown
  /** The header `X-Total-Count` of lists. */
  readonly totalCount: number | null
}

/** No complete answer arrived. */
export class PhoneCallError extends Error {
  override readonly name = 'PhoneCallError'
  /**
   * `refused`: nothing listens at the address. `away`: there is no route to the host. `silent`: no answer in
   * time. `broken`: the connection ended early, or the host is not an HTTP server.
   */
  readonly kind: 'refused' | 'away' | 'silent' | 'broken'
  /** False: the request certainly did not reach the phone. */
  readonly mayHaveArrived: boolean

  constructor(kind: PhoneCallError['kind'], mayHaveArrived: boolean) {
    super(kind)
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}

/**
 * Calls the phone on a new connection each time: the phone may have closed an idle connection, and a request
 * that fails on such a connection may or may not have arrived. Redirects are not followed.
 *
 * @throws PhoneCallError
 */
export function callPhone(clock: Clock, access: PhoneAccess, call: PhoneCall): Promise<PhoneAnswer> {
  return new Promise((resolve, reject) => {
    const mayLeave = () => call.method !== 'POST' || access.mayTransmit?.() !== false
    // Whether an earlier request arrived is not known then.
    if (!mayLeave()) return reject(new PhoneCallError('broken', true))
    let isConnected = false
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const outgoing = request(new URL(call.path, access.url), {
      method: call.method,
      agent: false,
      lookup: access.lookup,
      headers: headersOf(access, call, body),
    })
    const cancel = clock.after(call.timeoutMs ?? SMSGATE_CALL_MS_MAX, () => fail('silent'))
    const fail = (kind: PhoneCallError['kind']) => {
      cancel()
      // Reset the connection. After a normal close, the system could still deliver buffered data much later.
      outgoing.socket?.resetAndDestroy()
      outgoing.destroy()
      reject(new PhoneCallError(kind, isConnected))
    }
    outgoing.on('socket', socket => {
      socket.once('connect', () => {
        isConnected = true
        // The request leaves now, and connecting may have taken seconds.
        if (!mayLeave()) fail('broken')
      })
    })
    outgoing.on('error', error => fail(isConnected ? 'broken' : kindOf(systemCode(error))))
    outgoing.on('response', response => {
      readBody(response, call.answerBytesMax ?? SMSGATE_ANSWER_BYTES_MAX).then(
        text => {
          cancel()
          resolve(answerOf(response, text))
        },
        () => fail('broken'),
      )
    })
    outgoing.end(body)
  })
}

function headersOf({ username, password }: PhoneAccess, call: PhoneCall, body: string | undefined) {
  const credential = Buffer.from(`${username}:${password}`).toString('base64')
  return {
    Accept: 'application/json',
    ...(call.withPassword === false ? {} : { Authorization: `Basic ${credential}` }),
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
}

function kindOf(code: string | null): PhoneCallError['kind'] {
  if (code === 'ECONNREFUSED') return 'refused'
  return code === 'ETIMEDOUT' ? 'silent' : 'away'
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error('The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function answerOf(response: IncomingMessage, text: string): PhoneAnswer {
  const total = Number(response.headers['x-total-count'])
  const totalCount = Number.isSafeInteger(total) ? total : null
  const httpStatus = response.statusCode ?? 0
  try {
    return { httpStatus, totalCount, json: JSON.parse(text) as unknown }
  } catch {
    return { httpStatus, totalCount, json: undefined }
  }
}
