/**
 * One request and its answer. The only file that reads and answers by uWebSockets.js' request and response
 * objects, but for the upgrade in `transport/device/socket.ts`, because they are dangerous: `req` is dead
 * after the handler returned, `res` after an abort or an answer, an answer outside `cork` costs a system call
 * a header, and a handler that throws before `onAborted` ends the process. So an exchange copies what it
 * needs at once, answers once, and knows when it is over.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { BODY_STILL_MS_MAX } from '#contracts/bounds.ts'
import type { Take } from '#domain/rate-limit/rate-limiter.ts'

export interface HttpAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** The connection ends with this answer. */
  readonly close?: boolean
}

export const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  422: '422 Unprocessable Content',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** Headers that mean something only once: a second one is an attack or a mistake. */
const SINGLE = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'content-type',
  'authorization',
  'x-api-key',
  'idempotency-key',
])

/** Whatever could end a header line and begin another (RFC 9110, section 5.5). */
const CONTROL = /\p{Cc}/u

/** What happens to an exchange that nobody answers. */
export interface Timeout {
  readonly ms: number
  late(exchange: Exchange): void
}

export class Exchange {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The template of the path, for the log and for metrics: the path itself may hold a token. */
  route = ''
  /** Raw, still percent-encoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** What is wrong with the head of the request, if anything. */
  readonly fault: string | null
  /** The bucket that the answer tells of. */
  rate: Take | null = null
  readonly startedAt = performance.now()
  readonly #res: HttpResponse
  readonly #timeout: Timeout
  #timer: NodeJS.Timeout
  #isReading = false
  #isLate = false
  #over = false
  onOver: (status: number) => void = () => {}

  constructor(res: HttpResponse, req: HttpRequest, timeout: Timeout) {
    this.#res = res
    res.onAborted(() => {
      this.#end(0)
    })
    this.method = req.getMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ''
    const { headers, fault } = readHead(req)
    this.headers = headers
    this.fault = fault
    this.requestId = requestId(headers['x-request-id'])
    this.#timeout = timeout
    this.#timer = this.#wait(timeout.ms)
  }

  /**
   * The library ends a connection without a word when a body stands still for 8 s; so that a slow sender is
   * answered at the deadline, its patience is renewed until then.
   */
  #wait(ms: number): NodeJS.Timeout {
    const step = Math.min(ms, BODY_STILL_MS_MAX)
    return setTimeout(() => {
      if (ms <= step) {
        this.#isLate = true
        return this.#timeout.late(this)
      }
      if (this.#isReading) {
        this.#res.pause()
        this.#res.resume()
      }
      this.#timer = this.#wait(ms - step)
    }, step)
  }

  /** 4 or 16 bytes; none once it is over. */
  get address(): ArrayBuffer {
    return this.#over ? new ArrayBuffer(0) : this.#res.getRemoteAddress()
  }

  /** Nobody answered in time. */
  get isLate(): boolean {
    return this.#isLate
  }

  /** Answered or aborted: nobody listens any more. */
  get over(): boolean {
    return this.#over
  }

  /** Reads the body; must be called before the handler returns. `null` when it is longer than allowed. */
  readBody(bytesMax: number): Promise<Buffer | null> {
    // Refused by what it declares: nobody has to send, or wait for, what will not be read.
    if (Number(this.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve(null)
    this.#isReading = true
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let length = 0
      this.#res.onData((chunk, isLast) => {
        this.#isReading = !isLast
        length += chunk.byteLength
        if (length > bytesMax) {
          chunks.length = 0
          resolve(null)
          return
        }
        // The chunk's memory is taken back when this callback returns.
        const copy = Buffer.from(new Uint8Array(chunk))
        if (isLast && chunks.length === 0) return resolve(copy)
        chunks.push(copy)
        if (isLast) resolve(Buffer.concat(chunks, length))
      })
    })
  }

  /**
   * Sends the answer, once; what comes after the first is dropped.
   * @throws Error, before a byte is sent, for a header with a control character: it would be written
   */
  answer(answer: HttpAnswer): void {
    if (this.#over) return
    const res = this.#res
    const headers = Object.entries(answer.headers ?? {})
    for (const [name, value] of headers)
      if (CONTROL.test(value)) throw new Error(`the header ${name} would hold a control character`)
    res.cork(() => {
      res.writeStatus(STATUS_LINES[answer.status] ?? String(answer.status))
      res.writeHeader('Content-Type', answer.contentType)
      res.writeHeader('X-Request-Id', this.requestId)
      if (this.rate !== null) writeRate(res, this.rate)
      for (const [name, value] of headers) res.writeHeader(name, value)
      if (this.method === 'head') endHead(res, answer)
      else res.end(answer.body, answer.close ?? false)
    })
    this.#end(answer.status)
  }

  #end(status: number): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.onOver(status)
  }
}

/**
 * A body after HEAD would be read as the head of the next answer. The length is written by hand: told of it,
 * uWebSockets.js waits for the body and ends the connection at the next request.
 */
function endHead(res: HttpResponse, answer: HttpAnswer): void {
  const length = Buffer.byteLength(answer.body)
  if (answer.close === true) return void res.endWithoutBody(length, true)
  res.writeHeader('Content-Length', String(length))
  res.endWithoutBody()
}

function writeRate(res: HttpResponse, rate: Take): void {
  res.writeHeader('X-RateLimit-Limit', String(rate.limit))
  res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
  res.writeHeader('X-RateLimit-Reset', String(Math.ceil(rate.resetAtMs / 1000)))
}

/** The headers, and what is wrong with them, if anything. Repeated ones are joined by commas. */
export function readHead(req: HttpRequest): { headers: Record<string, string>; fault: string | null } {
  const headers: Record<string, string> = Object.create(null)
  let fault: string | null = null
  req.forEach((name, value) => {
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else if (SINGLE.has(name)) fault = `the header ${name} stands there twice: send it once`
    else headers[name] = `${known}, ${value}`
  })
  // An empty one is taken for none at all by the parser, and the body then for a request of its own.
  if (headers['content-length'] === '') fault = 'Content-Length must be a number of bytes'
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined) {
    if (headers['content-length'] !== undefined) fault = 'send Content-Length or Transfer-Encoding, not both'
    else if (transfer.toLowerCase() !== 'chunked') fault = 'the only Transfer-Encoding understood is chunked'
  }
  return { headers, fault }
}

const processTag = Math.random().toString(36).slice(2, 8)
let requests = 0

/** The caller's own id when it is harmless, else one of ours. */
export function requestId(own: string | undefined): string {
  if (own !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(own)) return own
  return `req-${processTag}-${(++requests).toString(36)}`
}
