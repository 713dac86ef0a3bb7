/**
 * The event streams (server-sent events) of one listener. They tell the app at once that messages wait. An
 * event stream is an answer without an end, so this file uses uWebSockets.js' response object itself, as
 * `exchange.ts` does. This file never writes to a response that was aborted.
 */

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { Writer } from '#contracts/commands.ts'
import { appMessageId } from '#contracts/smsgate.ts'
import type { LogEntry, SocketEffect } from '#contracts/thread-frames.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import { causeOf } from '#domain/cause.ts'
import { gatewayStopping, invalid, limitReached, noDevices, Problem } from '#domain/problem.ts'
import { isFromElsewhere } from '#transport/device/is-from-elsewhere.ts'
import { cloudPaths } from '#transport/device/smsgate-cloud/cloud-paths.ts'
import { phoneOf, refusal } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { nextSocketNumber } from '#transport/device/socket-number.ts'
import { bearerOf } from '#transport/http/authenticate.ts'
import { countStranger, type StrangerPorts } from '#transport/http/count-call.ts'
import { STATUS_LINES } from '#transport/http/http-answer.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'
import { readHead } from '#transport/http/request-head.ts'

export interface StreamPorts extends StrangerPorts {
  readonly listener: number
  readonly writer: Writer
  readonly reader: Pick<PrincipalReader, 'device' | 'hasDevices'>
  readonly log: (entry: LogEntry) => void
  readonly draining: () => boolean
  /** Called with the address of each phone that authenticated. */
  readonly admitted: (remote: ArrayBuffer) => void
}

interface Stream {
  readonly deviceId: string
  readonly socket: number
  readonly res: HttpResponse
  /** Time of the last `MessageEnqueued` event, milliseconds of the monotonic clock. */
  wokenAt: number
  /** Sends a further `MessageEnqueued` event when the pause is over. */
  delayedWake: NodeJS.Timeout | undefined
  /** Consecutive writes that the connection did not accept. */
  refusedWrites: number
}

/** Time between two comments. Networks drop connections that stay silent for longer. */
const COMMENT_EVERY_MS = 15_000
/**
 * Shortest time between two events. Each event makes the app start its fetch again, so with more frequent
 * events no fetch would finish.
 */
const WAKE_EVERY_MS = 1500
/**
 * Most open streams of one phone at one listener: a gateway with two listeners keeps up to twice as many. The
 * app does not close its old streams. The gateway does not close them either, because the app would then end
 * all its streams.
 */
const STREAMS_PER_PHONE_MAX = 8
/** A stream is closed after this many consecutive writes that its connection did not accept. */
const REFUSED_WRITES_MAX = 4

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

  /** Carries out orders that the writer has committed. */
  apply(effects: readonly SocketEffect[]): void {
    for (const { socket, order } of effects) {
      const stream = this.#streams.get(socket)
      if (stream === undefined) continue
      if (order.type === 'wake') this.#wake(stream)
      else if (order.type === 'cancel') this.#write(stream, eventOf('MessageCancelled', cancelData(order)))
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
      stream = {
        deviceId,
        socket,
        res,
        wokenAt: Number.NEGATIVE_INFINITY,
        delayedWake: undefined,
        refusedWrites: 0,
      }
      this.#begin(stream)
    } catch (error) {
      const problem = error instanceof Problem ? error : this.#internalError(error)
      setImmediate(() => {
        if (!isAborted) refuse(res, problem)
      })
    }
  }

  /**
   * The calling phone's device. @throws Problem when the gateway stops, the token is unknown, or too many
   * streams are open
   */
  #admit(res: HttpResponse, headers: Readonly<Record<string, string>>): string {
    const { reader, draining } = this.#ports
    if (draining()) throw gatewayStopping()
    const phone = phoneOf(reader, headers['authorization'])
    if (phone === null) {
      const decision = countStranger(this.#ports, res.getRemoteAddress(), headers)
      if (!decision.allowed) throw limitReached('too many wrong device tokens from this address', decision)
      if (isFromElsewhere(reader, bearerOf(headers['authorization']))) throw noDevices()
      throw new Problem('UNAUTHORIZED', 'this phone is not registered here: pair it again')
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
      // The library sends the headers with the first bytes. The two events make a new phone fetch its
      // webhooks and its settings.
      res.write(`:hello\n\n${eventOf('WebhooksUpdated')}${eventOf('SettingsUpdated')}`)
    })
    const { listener, writer } = this.#ports
    const news = { type: 'opened', appVersion: null, platform: null, sims: [] } as const
    writer
      .ask('phone.news', { deviceId, connection: { listener, socket }, news })
      // The writer did not commit the news: close the stream, so that the phone connects again.
      .catch(() => this.#streams.get(socket)?.res.close())
  }

  #wake(stream: Stream): void {
    if (stream.delayedWake !== undefined) return
    const wait = stream.wokenAt + WAKE_EVERY_MS - performance.now()
    if (wait <= 0) return this.#sendEnqueued(stream)
    stream.delayedWake = setTimeout(() => {
      stream.delayedWake = undefined
      this.#sendEnqueued(stream)
    }, wait).unref()
  }

  #sendEnqueued(stream: Stream): void {
    stream.wokenAt = performance.now()
    this.#write(stream, eventOf('MessageEnqueued'))
  }

  #comment(): void {
    for (const stream of [...this.#streams.values()]) this.#write(stream, ':keepalive\n\n')
  }

  /** Writes to a stream, and closes one that does not accept data any more, as after a lost connection. */
  #write(stream: Stream, text: string): void {
    const { res } = stream
    let isAccepted = true
    res.cork(() => {
      isAccepted = res.write(text)
    })
    if (isAccepted) stream.refusedWrites = 0
    else if (++stream.refusedWrites > REFUSED_WRITES_MAX) res.close()
  }

  #closed({ deviceId, socket, delayedWake }: Stream): void {
    clearTimeout(delayedWake)
    this.#streams.delete(socket)
    const { listener, writer } = this.#ports
    const closed = { deviceId, connection: { listener, socket }, silentMs: 0 }
    writer.ask('phone.closed', closed).catch(error => {
      // A refusal means that the writer is stopping, which ends all sessions anyway.
      if (!(error instanceof Problem)) this.#internalError(error)
    })
  }

  #internalError(error: unknown): Problem {
    this.#ports.log({ level: 'error', event: 'device.stream_failed', fields: { cause: causeOf(error) } })
    return new Problem('INTERNAL_ERROR', 'something went wrong')
  }
}

type EventName = 'MessageEnqueued' | 'MessageCancelled' | 'WebhooksUpdated' | 'SettingsUpdated'

/**
 * An event. It always has data, because the app ignores events without data. Old app versions ignore new
 * events.
 */
function eventOf(name: EventName, data: object = {}): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The data of a `MessageCancelled` event. */
function cancelData(order: { readonly messageId: string; readonly attempt: number }): object {
  return { messageId: appMessageId(order.messageId, order.attempt) }
}

function refuse(res: HttpResponse, problem: Problem): void {
  const { status, contentType, body } = refusal(problem, HTTP_STATUS[problem.code])
  res.cork(() => {
    res.writeStatus(STATUS_LINES[status] ?? String(status))
    res.writeHeader('Content-Type', contentType)
    res.end(body, true)
  })
}
