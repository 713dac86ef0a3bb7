/**
 * The streams of events of one listener (server-sent events): by them the app learns at once that messages
 * wait. Beside `exchange.ts` the only file that answers by uWebSockets.js' response object, because this
 * answer has no end: each response is written to until it is aborted, and never after.
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { Writer } from '#contracts/commands.ts'
import type { LogEntry, SocketEffect } from '#contracts/thread-frames.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import { causeOf } from '#domain/cause.ts'
import type { AddressBlock } from '#domain/network/address-block.ts'
import { gatewayStopping, invalid, limitReached, Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { cloudPaths } from '#transport/device/smsgate-cloud/cloud-paths.ts'
import { phoneOf, refusal } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { nextSocketNumber } from '#transport/device/socket-number.ts'
import { readClientAddress } from '#transport/http/client-address.ts'
import { STATUS_LINES } from '#transport/http/exchange.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'
import { readHead } from '#transport/http/request-head.ts'

export interface StreamPorts {
  readonly listener: number
  readonly writer: Writer
  readonly reader: Pick<PrincipalReader, 'device'>
  readonly limiter: RateLimiter
  readonly trustedProxies: readonly AddressBlock[]
  readonly anonymousCallsPerMinute: number
  readonly log: (entry: LogEntry) => void
  readonly draining: () => boolean
  /** Called with the address of a phone that showed its token. */
  readonly admitted: (remote: ArrayBuffer) => void
}

interface Stream {
  readonly deviceId: string
  readonly socket: number
  readonly res: HttpResponse
  /** Monotonic: when it was told last that messages wait. */
  wokenAt: number
  /** Tells it again, once the pause is over. */
  trailing: NodeJS.Timeout | undefined
  untaken: number
}

/** Networks forget connections that are silent for longer. */
const COMMENT_EVERY_MS = 15_000
/** Each event has the app begin its fetch anew: more often, and none would come to its end. */
const WAKE_EVERY_MS = 1500
/** The app forgets to close streams, and ends them all when the older one is closed. */
const STREAMS_PER_PHONE_MAX = 8
/** Events and comments in a row that a stream did not take. */
const UNTAKEN_MAX = 4

export class EventStreams {
  readonly #ports: StreamPorts
  readonly #streams = new Map<number, Stream>()
  readonly #commenter: NodeJS.Timeout

  constructor(ports: StreamPorts) {
    this.#ports = ports
    this.#commenter = setInterval(() => this.#comment(), COMMENT_EVERY_MS).unref()
  }

  serve(app: TemplatedApp): void {
    const { path, aliases } = cloudPaths('events')
    for (const one of [path, ...aliases]) app.get(one, (res, req) => this.#open(res, req))
  }

  /** Carries out what the writer committed. */
  apply(effects: readonly SocketEffect[]): void {
    for (const { socket, order } of effects) {
      const stream = this.#streams.get(socket)
      if (stream === undefined) continue
      if (order.type === 'wake') this.#wake(stream)
      else if (order.type === 'close') stream.res.close()
    }
  }

  close(): void {
    clearInterval(this.#commenter)
    for (const { res } of [...this.#streams.values()]) res.close()
  }

  #open(res: HttpResponse, req: HttpRequest): void {
    let stream: Stream | undefined
    let isAborted = false
    res.onAborted(() => {
      isAborted = true
      if (stream !== undefined) this.#closed(stream)
    })
    try {
      const { headers, fault } = readHead(req)
      if (fault !== null) throw invalid([{ path: 'header', message: fault }])
      const deviceId = this.#admit(res, headers)
      this.#ports.admitted(res.getRemoteAddress())
      const socket = nextSocketNumber()
      stream = { deviceId, socket, res, wokenAt: Number.NEGATIVE_INFINITY, trailing: undefined, untaken: 0 }
      this.#begin(stream)
    } catch (error) {
      const problem = error instanceof Problem ? error : this.#ourFault(error)
      setImmediate(() => {
        if (!isAborted) refuse(res, problem)
      })
    }
  }

  /** @throws Problem: stopping, an unknown token, too many streams */
  #admit(res: HttpResponse, headers: Readonly<Record<string, string>>): string {
    const { reader, draining, limiter, trustedProxies, anonymousCallsPerMinute } = this.#ports
    if (draining()) throw gatewayStopping()
    const phone = phoneOf(reader, headers['authorization'])
    if (phone === null) {
      const peer = { remote: res.getRemoteAddress(), forwardedFor: headers['x-forwarded-for'] ?? '' }
      const { bucketKey } = readClientAddress(peer, trustedProxies)
      const take = limiter.take('address', bucketKey, anonymousCallsPerMinute)
      if (!take.allowed) throw limitReached('too many wrong device tokens from this address', take)
      throw new Problem('UNAUTHORIZED', 'this phone is not registered here')
    }
    let open = 0
    for (const { deviceId } of this.#streams.values()) if (deviceId === phone.deviceId) open += 1
    if (open >= STREAMS_PER_PHONE_MAX)
      throw new Problem('SERVICE_UNAVAILABLE', `this phone has ${open} streams open: restart the app`)
    return phone.deviceId
  }

  #begin(stream: Stream): void {
    const { res, deviceId, socket } = stream
    this.#streams.set(socket, stream)
    res.cork(() => {
      res.writeStatus('200 OK')
      res.writeHeader('Content-Type', 'text/event-stream')
      res.writeHeader('Cache-Control', 'no-cache, no-transform')
      res.writeHeader('X-Accel-Buffering', 'no')
      // Headers leave with the first bytes. A phone that has just registered has fetched neither list yet.
      res.write(`:hello\n\n${eventOf('WebhooksUpdated')}${eventOf('SettingsUpdated')}`)
    })
    const { listener, writer } = this.#ports
    const news = { type: 'opened', appVersion: null, platform: null, sims: [] } as const
    writer
      .ask('phone.news', { deviceId, connection: { listener, socket }, news })
      // Not written: the phone connects again.
      .catch(() => this.#streams.get(socket)?.res.close())
  }

  #wake(stream: Stream): void {
    if (stream.trailing !== undefined) return
    const wait = stream.wokenAt + WAKE_EVERY_MS - performance.now()
    if (wait <= 0) return this.#tell(stream)
    stream.trailing = setTimeout(() => {
      stream.trailing = undefined
      this.#tell(stream)
    }, wait).unref()
  }

  #tell(stream: Stream): void {
    stream.wokenAt = performance.now()
    this.#write(stream, eventOf('MessageEnqueued'))
  }

  #comment(): void {
    for (const stream of [...this.#streams.values()]) this.#write(stream, ':keepalive\n\n')
  }

  /** A phone that is gone without a word takes nothing any more: what waits for it has an end. */
  #write(stream: Stream, text: string): void {
    const { res } = stream
    let isTaken = true
    res.cork(() => {
      isTaken = res.write(text)
    })
    if (isTaken) stream.untaken = 0
    else if (++stream.untaken > UNTAKEN_MAX) res.close()
  }

  #closed({ deviceId, socket, trailing }: Stream): void {
    clearTimeout(trailing)
    this.#streams.delete(socket)
    const { listener, writer } = this.#ports
    const closed = { deviceId, connection: { listener, socket }, silentMs: 0 }
    writer.ask('phone.closed', closed).catch(error => {
      // A stopping writer forgets its sessions anyway.
      if (!(error instanceof Problem)) this.#ourFault(error)
    })
  }

  #ourFault(error: unknown): Problem {
    this.#ports.log({ level: 'error', event: 'device.stream_failed', fields: { cause: causeOf(error) } })
    return new Problem('INTERNAL_ERROR', 'something went wrong')
  }
}

/** The app drops an event without data. */
function eventOf(name: 'MessageEnqueued' | 'WebhooksUpdated' | 'SettingsUpdated'): string {
  return `event: ${name}\ndata: {}\n\n`
}

function refuse(res: HttpResponse, problem: Problem): void {
  const { status, contentType, body } = refusal(problem, HTTP_STATUS[problem.code])
  res.cork(() => {
    res.writeStatus(STATUS_LINES[status] ?? String(status))
    res.writeHeader('Content-Type', contentType)
    res.end(body, true)
  })
}
