/**
 * One request and its answer. uWebSockets.js' request and response objects are easy to misuse: `req` is
 * invalid after the handler has returned, and `res` after an abort or an answer. An answer outside `cork`
 * costs a system call for each header, and a handler that throws before `onAborted` ends the process. So an
 * exchange copies what it needs at once, answers once, and knows when it has ended. Apart from upgrades and
 * event streams, only this file and `incoming-body.ts` use these objects.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import { type HttpAnswer, JSON_TYPE, STATUS_LINES } from '#transport/http/http-answer.ts'
import { type BodyReader, IncomingBody } from '#transport/http/incoming-body.ts'
import type { LargeBodies } from '#transport/http/large-bodies.ts'
import type { OpenExchange, OpenExchanges } from '#transport/http/open-exchanges.ts'
import { endsConnection, readHead, requestId } from '#transport/http/request-head.ts'
import type { FormatRefusal } from '#transport/http/route.ts'
import { sendPieces } from '#transport/http/send-pieces.ts'

/** Time in which a caller must read an answer to its end. A page of 200 long texts has 2 MB. */
const ANSWER_READ_MS_MAX = 60_000

/**
 * Control characters. With one, a value could end its header line and begin another (RFC 9110, section 5.5).
 */
const CONTROL = /\p{Cc}/u

/**
 * The value of Content-Type in a JSON answer, with two header lines that follow it. The library writes a
 * value as it is, so one call can write several lines; each call costs about a microsecond. JSON answers hold
 * private data and secrets, and differ by credential, so nothing may store them.
 */
const JSON_LINES = [JSON_TYPE, 'Cache-Control: no-store', 'X-Content-Type-Options: nosniff'].join('\r\n')

/**
 * Each 1024th answer to HEAD closes its connection, which bounds the unread answers of one caller to 500 KB.
 */
const HEADS_PER_CLOSE = 1024
let headAnswers = 0

/** What all exchanges of one app share, so that no request has to create functions of its own. */
export interface ExchangeHost {
  /** Exchanges that wait for their answer. */
  readonly open: OpenExchanges
  readonly large: Pick<LargeBodies, 'start' | 'end'>
  /** Called when an exchange was not answered before its deadline. */
  expired(exchange: Exchange): void
  /** Called when the rest of an answer could not be made. The connection is closed. */
  failed(exchange: Exchange, error: unknown): void
  /**
   * Called once for each exchange: with the status of its answer, or 0 if the caller closed the connection.
   */
  ended(exchange: Exchange, status: number): void
}

export class Exchange implements OpenExchange, BodyReader {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The template of the path, for logs and metrics, because the path itself may contain a token. */
  route = ''
  /** Whether the connection to this gateway uses HTTPS. */
  isTls = false
  /** The format of refusals on this route; null: the gateway's envelope. */
  refusal: FormatRefusal | null = null
  /** Raw, still percent-encoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** What is wrong with the headers; null: nothing. */
  readonly fault: string | null
  /** Longest body that is read, bytes. */
  bodyBytesMax = 0
  /** The account whose body it is; empty: not known yet. */
  accountId = ''
  /** Whether the body was not read to its end, because the account has as many large ones as it may. */
  isCrowded = false
  /** The lines of `X-Roost-Ignored` and `X-Roost-Opted-Out`, each with a line break before it. */
  named = ''
  /** The rate limit that the answer's headers show; null: none. */
  rate: RateDecision | null = null
  /** Whether the call is counted only when its body has been read, and has not been counted yet. */
  isUncounted = false
  readonly startedAt = performance.now()
  readonly #res: HttpResponse
  readonly #host: ExchangeHost
  #timer: NodeJS.Timeout | undefined
  readonly #body: IncomingBody
  /** The last answer of the connection, while it waits for the rest of the body; null: none. */
  #last: HttpAnswer | null = null
  #isLate = false
  #answered = false
  #ended = false
  /** Called when the exchange is over. */
  #onEnd: (() => void) | null = null

  constructor(res: HttpResponse, req: HttpRequest, host: ExchangeHost) {
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
    this.#host = host
    host.open.add(this)
  }

  expire(): void {
    if (this.#last !== null) return this.#sendLast(this.#last)
    this.#isLate = true
    this.#host.expired(this)
  }

  renew(): void {
    if (!this.#body.isArriving) return
    this.#res.pause()
    this.#res.resume()
  }

  /** The remote address, 4 or 16 bytes; empty once the exchange is over. */
  get address(): ArrayBuffer {
    return this.#ended ? new ArrayBuffer(0) : this.#res.getRemoteAddress()
  }

  /** Whether the exchange missed its deadline. */
  get isLate(): boolean {
    return this.#isLate
  }

  /** Whether the exchange is answered or aborted, so that no answer can be sent any more. */
  get isOver(): boolean {
    return this.#answered || this.#ended
  }

  /**
   * Reads the body. Call this before the handler returns. `done` gets the body, or null if it may not be read
   * to its end (`isCrowded`, or it is too long): at once if Content-Length says so.
   */
  readBody(bytesMax: number, done: (body: Buffer | null) => void): void {
    this.#body.read(bytesMax, this, done)
  }

  mayBeLarge(): boolean {
    this.isCrowded = !this.#host.large.start(this, this.accountId)
    return !this.isCrowded
  }

  hasRead(): void {
    this.#host.large.end(this)
  }

  /** Calls `done` once, when the exchange is over, however it ends. */
  onEnd(done: () => void): void {
    this.#onEnd = done
  }

  /** Drops the body. A handler that does not read the body must call this before it returns. */
  dropBody(): void {
    this.#body.drop()
  }

  /**
   * Sends the answer. Further answers are ignored.
   * @throws Error for a header with a control character, which the library would not refuse; nothing is sent
   */
  answer(answer: HttpAnswer): void {
    if (this.isOver) return
    for (const [name, value] of Object.entries(answer.headers ?? {}))
      if (CONTROL.test(value)) throw new Error(`the header ${name} contains a control character`)
    this.#answered = true
    if (answer.more !== undefined && this.method !== 'head') return this.#sendPieces(answer, answer.more)
    if (answer.close === true || endsConnection(this.headers)) return this.#answerLast(answer)
    this.#host.open.delete(this)
    // Answer in a later turn of the event loop. In this one, the parser would still read the next request of
    // the same packet.
    if (this.method === 'head') setImmediate(() => this.#sendHead(answer))
    else this.#send(answer)
  }

  /** Sends the last answer of the connection, in a later turn of the event loop, when the parser is done. */
  #answerLast(answer: HttpAnswer): void {
    this.#last = answer
    if (this.#isLate) setImmediate(() => this.#sendLast(answer))
    else this.#body.afterRest(() => this.#sendLast(answer))
  }

  /**
   * Sends the answer and closes the connection. If the parser finds a further request before this is called,
   * the library closes the connection at once.
   */
  #sendLast(answer: HttpAnswer): void {
    if (this.#ended) return
    this.#res.cork(() => {
      this.#writeHead(answer)
      // The library writes this header itself, except after a request with `Connection: close`, which it
      // recognizes by the length of the value alone.
      if (this.headers['connection']?.length === 'close'.length) this.#res.writeHeader('Connection', 'close')
      if (this.method === 'head') this.#res.endWithoutBody(Buffer.byteLength(answer.body), true)
      else this.#res.end(answer.body, true)
    })
    this.#end(answer.status)
  }

  /**
   * Sends an answer to HEAD, which must have no body. `Content-Length` is written here. If uWebSockets.js
   * wrote the header, the library would wait for a body, and close the connection at the next request.
   */
  #sendHead(answer: HttpAnswer): void {
    // Without a body, the library does not report whether the client reads. So close the connection now and
    // then.
    headAnswers += 1
    if (headAnswers % HEADS_PER_CLOSE === 0) return this.#sendLast(answer)
    if (this.#ended) return
    this.#res.cork(() => {
      this.#writeHead(answer)
      this.#res.writeHeader('Content-Length', String(Buffer.byteLength(answer.body)))
      this.#res.endWithoutBody()
    })
    this.#end(answer.status)
  }

  /**
   * Sends the answer as fast as the caller reads. The unread rest waits here. A further request on the
   * connection closes it, so that never more than one answer waits for a connection.
   */
  #send(answer: HttpAnswer): void {
    const res = this.#res
    const { body, status } = answer
    const length = Buffer.byteLength(body)
    let isDone = true
    res.cork(() => {
      this.#writeHead(answer)
      isDone = res.tryEnd(body, length)[1]
    })
    if (isDone) this.#end(status)
    // The bytes of a file are shared: a copy for each caller that does not read could fill the memory.
    else this.#sendRest(typeof body === 'string' ? Buffer.from(body) : body, status)
  }

  #sendRest(body: Uint8Array, status: number): void {
    const res = this.#res
    this.#timer = setTimeout(() => res.close(), ANSWER_READ_MS_MAX)
    res.onWritable(offset => {
      const [isAccepted, isDone] = res.tryEnd(body.subarray(offset), body.length)
      if (isDone) this.#end(status)
      return isAccepted
    })
  }

  /** Sends an answer of which most is made while it is read. Its end closes no connection. */
  #sendPieces(answer: HttpAnswer, more: AsyncIterator<string>): void {
    this.#host.open.delete(this)
    this.#res.cork(() => {
      this.#writeHead(answer)
      this.#res.write(answer.body)
    })
    sendPieces(this.#res, more, () => this.#ended).then(
      () => this.#end(answer.status),
      error => {
        this.#host.failed(this, error)
        if (!this.#ended) this.#res.close()
      },
    )
  }

  #writeHead(answer: HttpAnswer): void {
    const res = this.#res
    // The library itself writes `200 OK` if no other status was written.
    if (answer.status !== 200) res.writeStatus(STATUS_LINES[answer.status] ?? String(answer.status))
    const type = answer.contentType === JSON_TYPE ? JSON_LINES : answer.contentType
    const rate = this.rate === null ? '' : `\r\nX-RateLimit-Limit: ${rateLines(this.rate)}`
    res.writeHeader('Content-Type', `${type}\r\nX-Request-Id: ${this.requestId}${rate}${this.named}`)
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.writeHeader(name, value)
  }

  #end(status: number): void {
    if (this.#ended) return
    this.#ended = true
    this.#host.open.delete(this)
    clearTimeout(this.#timer)
    this.#body.end()
    this.#host.large.end(this)
    this.#onEnd?.()
    this.#host.ended(this, status)
  }
}

/** Writes the rate-limit headers. */
export function writeRate(res: HttpResponse, rate: RateDecision): void {
  res.writeHeader('X-RateLimit-Limit', rateLines(rate))
}

/** The value of X-RateLimit-Limit, with the lines of the other rate-limit headers. */
function rateLines({ limit, remaining, resetAtMs }: RateDecision): string {
  const resetAtS = Math.ceil(resetAtMs / 1000)
  return `${limit}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${resetAtS}`
}
