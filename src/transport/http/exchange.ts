/**
 * One request and its answer. With `incoming-body.ts` the only file that uses uWebSockets.js' request and
 * response objects, except for upgrades and for streams of events, because they are easy to misuse: `req` is
 * invalid after the handler returned, `res` after an abort or an answer; an answer outside `cork` costs a
 * system call for each header, and a handler that throws before `onAborted` ends the process. So an exchange
 * copies what it needs at once, answers once, and knows when it has ended.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ANSWER_TAKEN_MS_MAX } from '#contracts/bounds.ts'
import type { Take } from '#domain/rate-limit/rate-limiter.ts'
import { IncomingBody } from '#transport/http/incoming-body.ts'
import type { OpenExchange, OpenExchanges } from '#transport/http/open-exchanges.ts'
import { endsConnection, readHead, requestId } from '#transport/http/request-head.ts'
import type { Refusal } from '#transport/http/route.ts'

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
  302: '302 Found',
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
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
  501: '501 Not Implemented',
  503: '503 Service Unavailable',
}

/** Whatever could end a header line and begin another (RFC 9110, section 5.5). */
const CONTROL = /\p{Cc}/u

/** After this many HEAD answers of a listener one closes its connection: a caller may leave 500 KB unread. */
const HEADS_PER_CLOSE = 1024
let heads = 0

/** What happens to an exchange that gets no answer in time. */
export interface Timeout {
  /** Those that still wait for their answer. */
  readonly open: OpenExchanges
  late(exchange: Exchange): void
}

export class Exchange implements OpenExchange {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The template of the path, for the log and for metrics: the path itself may hold a token. */
  route = ''
  /** Its connection is one of HTTPS, to this gateway itself. */
  isTls = false
  /** How its route formats refusals; null: in the gateway's envelope. */
  refusal: Refusal | null = null
  /** Raw, still percent-encoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** What is wrong with the head of the request, if anything. */
  readonly fault: string | null
  /** How much of its body is read at most. */
  bodyBytesMax = 0
  /** The rate limit whose headers the answer has. */
  rate: Take | null = null
  readonly startedAt = performance.now()
  readonly #res: HttpResponse
  readonly #timeout: Timeout
  #timer: NodeJS.Timeout | undefined
  readonly #body: IncomingBody
  /** The answer that ends the connection, while the rest of the body arrives. */
  #last: HttpAnswer | null = null
  #isLate = false
  #answered = false
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
    this.#body = new IncomingBody(res, headers)
    this.requestId = requestId(headers['x-request-id'])
    this.#timeout = timeout
    timeout.open.add(this)
  }

  expire(): void {
    if (this.#last !== null) return this.#sendLast(this.#last)
    this.#isLate = true
    this.#timeout.late(this)
  }

  renew(): void {
    if (!this.#body.isArriving) return
    this.#res.pause()
    this.#res.resume()
  }

  /** 4 or 16 bytes; none once it is over. */
  get address(): ArrayBuffer {
    return this.#over ? new ArrayBuffer(0) : this.#res.getRemoteAddress()
  }

  /** It was not answered in time. */
  get isLate(): boolean {
    return this.#isLate
  }

  /** Answered or aborted: no more answer can be sent. */
  get over(): boolean {
    return this.#answered || this.#over
  }

  /**
   * Reads the body; must be called before the handler returns. `null` when it is longer than allowed: `done`
   * is then called at once where its length was declared.
   */
  readBody(bytesMax: number, done: (body: Buffer | null) => void): void {
    this.#body.read(bytesMax, done)
  }

  /** Drops the body; must be called before the handler returns, if that does not read it. */
  dropBody(): void {
    this.#body.drop()
  }

  /**
   * Sends the answer, once; what comes after the first is dropped.
   * @throws Error, before a byte is sent, for a header with a control character: it would be written
   */
  answer(answer: HttpAnswer): void {
    if (this.over) return
    for (const [name, value] of Object.entries(answer.headers ?? {}))
      if (CONTROL.test(value)) throw new Error(`the header ${name} would hold a control character`)
    this.#answered = true
    if (answer.close === true || endsConnection(this.headers)) return this.#answerLast(answer)
    this.#timeout.open.delete(this)
    // Outside the parser, which would continue with the next request of the same segment.
    if (this.method === 'head') setImmediate(() => this.#sendHead(answer))
    else this.#send(answer)
  }

  /** Never inside the parser, which would continue with the next request of the same segment. */
  #answerLast(answer: HttpAnswer): void {
    this.#last = answer
    if (this.#isLate) setImmediate(() => this.#sendLast(answer))
    else this.#body.afterRest(() => this.#sendLast(answer))
  }

  /**
   * Sends the answer and ends the connection. A request that the parser finds before this is called ends
   * the connection at once.
   */
  #sendLast(answer: HttpAnswer): void {
    if (this.#over) return
    this.#res.cork(() => {
      this.#writeHead(answer)
      // The library says so by itself unless the caller, in this one word, said so first.
      if (this.headers['connection']?.length === 'close'.length) this.#res.writeHeader('Connection', 'close')
      if (this.method === 'head') this.#res.endWithoutBody(Buffer.byteLength(answer.body), true)
      else this.#res.end(answer.body, true)
    })
    this.#end(answer.status)
  }

  /**
   * Sends an answer without its body, which would be read as the head of the next answer. `Content-Length` is
   * written by hand: when uWebSockets.js writes it, it waits for the body and ends the connection at the next
   * request.
   */
  #sendHead(answer: HttpAnswer): void {
    // Without a body the library does not report whether the client reads: so sometimes it must reconnect.
    heads += 1
    if (heads % HEADS_PER_CLOSE === 0) return this.#sendLast(answer)
    if (this.#over) return
    this.#res.cork(() => {
      this.#writeHead(answer)
      this.#res.writeHeader('Content-Length', String(Buffer.byteLength(answer.body)))
      this.#res.endWithoutBody()
    })
    this.#end(answer.status)
  }

  /**
   * Sends the answer as fast as the caller reads. What is not read yet waits here, and the next request of
   * the connection ends it: one answer waits for a connection, however many requests the caller sends.
   */
  #send(answer: HttpAnswer): void {
    const res = this.#res
    const { body, status } = answer
    const length = Buffer.byteLength(body)
    let isTaken = true
    res.cork(() => {
      this.#writeHead(answer)
      isTaken = res.tryEnd(body, length)[1]
    })
    if (isTaken) this.#end(status)
    else this.#sendRest(Buffer.from(body as string), status)
  }

  #sendRest(body: Buffer, status: number): void {
    const res = this.#res
    this.#timer = setTimeout(() => res.close(), ANSWER_TAKEN_MS_MAX)
    res.onWritable(offset => {
      const [isTaken, isDone] = res.tryEnd(body.subarray(offset), body.length)
      if (isDone) this.#end(status)
      return isTaken
    })
  }

  #writeHead(answer: HttpAnswer): void {
    const res = this.#res
    res.writeStatus(STATUS_LINES[answer.status] ?? String(answer.status))
    res.writeHeader('Content-Type', answer.contentType)
    res.writeHeader('X-Request-Id', this.requestId)
    if (this.rate !== null) writeRate(res, this.rate)
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.writeHeader(name, value)
  }

  #end(status: number): void {
    if (this.#over) return
    this.#over = true
    this.#timeout.open.delete(this)
    clearTimeout(this.#timer)
    this.#body.end()
    this.onOver(status)
  }
}

export function writeRate(res: HttpResponse, rate: Take): void {
  res.writeHeader('X-RateLimit-Limit', String(rate.limit))
  res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
  res.writeHeader('X-RateLimit-Reset', String(Math.ceil(rate.resetAtMs / 1000)))
}
