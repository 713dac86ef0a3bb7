/**
 * The device sockets of one listener: authenticates phones, passes frames in both directions, and closes
 * silent connections. If a frame cannot be written, the socket is closed, because the phone's next `sync`
 * then shows what arrived.
 */

import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'
import * as v from 'valibot'
import { FRAME_BYTES_MAX, SOCKET_BACKLOG_BYTES_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import { CLOSE, DEVICE_SUBPROTOCOL, PhoneFrame } from '#contracts/device-frames.ts'
import type { PhoneOrder, Refusal } from '#contracts/phone-orders.ts'
import type { LogEntry, SocketEffect } from '#contracts/thread-frames.ts'
import type { DeviceIdentity } from '#domain/account/principal.ts'
import { causeOf } from '#domain/cause.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { type AdmissionPorts, admitPhone } from '#transport/device/roost/admit-phone.ts'
import { FRAMES_PER_SECOND_MAX, FrameCounter } from '#transport/device/roost/frame-counter.ts'
import { CLOSE_CODES, frameOf, newsOf } from '#transport/device/roost/frame-translation.ts'
import { NewsLane, type NewsSource } from '#transport/device/roost/news-lane.ts'
import { PacedTasks } from '#transport/device/roost/paced-tasks.ts'
import { nextSocketNumber } from '#transport/device/socket-number.ts'
import { readHead, requestId } from '#transport/http/request-head.ts'
import { wordingOf } from '#transport/issue-wording.ts'
import { refuseUpgrade } from '#transport/refuse-upgrade.ts'

/**
 * A frame above `FRAME_BYTES_MAX` closes the socket with a reason that names the limit. A frame above this
 * bound is not read, and the socket closes without a reason.
 */
export const FRAME_BYTES_READ_MAX = 65_536
/**
 * Frames of one device socket that get an error as the answer; with more, the socket is closed. A newer
 * program on the phone may send a few frames of an unknown type.
 */
export const FRAMES_REFUSED_MAX = 100
export interface DeviceSocketPorts extends AdmissionPorts {
  readonly listener: number
  readonly writer: Writer
  readonly log: (entry: LogEntry) => void
  /** Called with the address of each phone that authenticated. */
  readonly admitted: (remote: ArrayBuffer) => void
  /** Called when a socket is closed. */
  readonly closed: () => void
}

interface SocketData extends DeviceIdentity, NewsSource {
  readonly socket: number
  /** True once the phone has sent its first frame, `hello`. */
  greeted: boolean
  heardAt: number
  pingedAt: number
  /** Frames that were answered with an `error` frame. */
  refused: number
  /** Why this side closed the socket. Null: it did not. */
  refusal: Refusal | null
}

type DeviceSocket = WebSocket<SocketData>

/** A phone must send `hello` within this time after it connected. */
const HELLO_MS_MAX = 10_000
/** What uWebSockets.js' `send` returns when it dropped the frame, because too much waits to be sent. */
const DROPPED = 2
const TOO_BIG = `a frame has at most ${FRAME_BYTES_MAX} bytes`
/** The reason that uWebSockets.js gives when a frame was longer than `FRAME_BYTES_READ_MAX`. */
const LIBRARY_TOO_BIG = 'Received too big message'
/** A close frame has at most 125 bytes, and its code takes two of them (RFC 6455, section 5.5). */
const CLOSE_REASON_BYTES_MAX = 123

export class DeviceSockets {
  readonly #ports: DeviceSocketPorts
  readonly #sockets = new Map<number, DeviceSocket>()
  readonly #sweeper: NodeJS.Timeout
  /** Spreads the upgrades of phones that return at the same time. */
  readonly #upgrades = new PacedTasks()
  readonly #lane = new NewsLane()
  #heard = new Set<string>()
  readonly #frames = new FrameCounter()

  constructor(ports: DeviceSocketPorts) {
    this.#ports = ports
    const sweepMs = Math.min(5000, Math.max(200, ports.settings().offlineAfterMs / 6))
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs)
  }

  /** Serves phones that connect to this app. */
  serve(app: TemplatedApp): void {
    app.ws<SocketData>('/device/v1/socket', {
      // Above this size, the library closes the connection without giving a reason.
      maxPayloadLength: FRAME_BYTES_READ_MAX,
      maxBackpressure: SOCKET_BACKLOG_BYTES_MAX,
      closeOnBackpressureLimit: true,
      // `#sweep` detects silence, because the library's timeout does not accept every configured time.
      idleTimeout: 0,
      sendPingsAutomatically: false,
      upgrade: (res, req, context) => this.#upgrade(res, req, context),
      open: ws => {
        this.#sockets.set(ws.getUserData().socket, ws)
      },
      message: (ws, message, isBinary) => this.#receive(ws, message, isBinary),
      ping: ws => this.#hear(ws),
      pong: ws => this.#hear(ws),
      close: (ws, _code, reason) => this.#closed(ws, Buffer.from(reason).toString()),
    })
  }

  get size(): number {
    return this.#sockets.size
  }

  /** Carries out orders that the writer has committed. */
  apply(effects: readonly SocketEffect[]): void {
    for (const { socket, order } of effects) {
      const ws = this.#sockets.get(socket)
      if (ws !== undefined) carryOut(ws, order)
    }
  }

  /** Closes all sockets. The phones reconnect, to another listener if this one has ended. */
  close(): void {
    clearInterval(this.#sweeper)
    this.#lane.open()
    for (const ws of [...this.#sockets.values()]) ws.end(CLOSE.goingAway, 'the gateway is stopping')
  }

  #upgrade(res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    const { headers, fault } = readHead(req)
    const key = req.getHeader('sec-websocket-key')
    const extensions = req.getHeader('sec-websocket-extensions')
    this.#upgrades.run(() => {
      if (aborted) return false
      try {
        if (fault !== null) throw invalid([{ path: 'header', message: fault }])
        const data = openData(admitPhone(this.#ports, res, headers))
        this.#ports.admitted(res.getRemoteAddress())
        res.cork(() => res.upgrade(data, key, DEVICE_SUBPROTOCOL, extensions, context))
      } catch (error) {
        if (!(error instanceof Problem)) this.#logFault('device.upgrade_failed', error)
        const problem =
          error instanceof Problem ? error : new Problem('INTERNAL_ERROR', 'something went wrong')
        // Refuse in a later turn of the event loop. In this one, the parser would still read the bytes that
        // follow the refused request.
        setImmediate(() => {
          if (!aborted) refuseUpgrade(res, problem, { id: requestId(headers['x-request-id']) })
        })
      }
      return true
    })
  }

  #receive(ws: DeviceSocket, message: ArrayBuffer, isBinary: boolean): void {
    const data = ws.getUserData()
    this.#hear(ws)
    if (isBinary) return refuse(ws, 'protocol-error', 'frames are JSON text')
    if (!this.#frames.take(data.accountId, data.heardAt))
      return refuse(ws, 'flooding', `more than ${FRAMES_PER_SECOND_MAX} frames a second`)
    if (message.byteLength > FRAME_BYTES_MAX) return refuse(ws, 'too-big', TOO_BIG)
    const parsed = readFrame(message)
    if (typeof parsed === 'string') {
      if (!data.greeted) {
        const reason = `the first frame must be hello: ${parsed}`
        return refuse(ws, 'protocol-error', reason.slice(0, CLOSE_REASON_BYTES_MAX))
      }
      if (++data.refused > FRAMES_REFUSED_MAX)
        return refuse(ws, 'protocol-error', `more than ${FRAMES_REFUSED_MAX} frames were not understood`)
      ws.send(JSON.stringify({ type: 'error', message: parsed }))
      return
    }
    if (!data.greeted && parsed.type !== 'hello')
      return refuse(ws, 'protocol-error', 'the first frame must be hello')
    if (data.greeted && parsed.type === 'hello')
      return refuse(ws, 'protocol-error', 'hello may be sent only once')
    if (this.#lane.isFull(data)) return refuse(ws, 'flooding', 'too many frames wait for the database')
    data.greeted = true
    const { listener, writer } = this.#ports
    const { deviceId, socket } = data
    const news = newsOf(parsed)
    const isReturn = news.type === 'opened' || news.type === 'journal'
    this.#lane.pass({ source: data, isReturn }, () =>
      writer
        .ask('phone.news', { deviceId, connection: { listener, socket }, news })
        // The writer did not commit the news: close the socket, so that the phone reconnects and sends them
        // again.
        .catch(() => this.#sockets.get(socket)?.close()),
    )
  }

  #hear(ws: DeviceSocket): void {
    const data = ws.getUserData()
    data.heardAt = performance.now()
    this.#heard.add(data.deviceId)
  }

  #closed(ws: DeviceSocket, libraryReason: string): void {
    const data = ws.getUserData()
    const { socket, deviceId, greeted, heardAt } = data
    if (libraryReason === LIBRARY_TOO_BIG) data.refusal = { why: 'too-big', reason: TOO_BIG }
    const refusal = data.refusal === null ? {} : { refusal: data.refusal }
    this.#sockets.delete(socket)
    this.#ports.closed()
    if (!greeted && data.refusal === null) return
    const { listener, writer } = this.#ports
    // The database column takes whole milliseconds.
    const silentMs = Math.max(0, Math.round(performance.now() - heardAt))
    this.#lane.pass({ source: data, isReturn: true }, () =>
      writer
        .ask('phone.closed', { deviceId, connection: { listener, socket }, silentMs, ...refusal })
        .catch(error => {
          // A refusal means that the writer is stopping, which ends all sessions anyway.
          if (!(error instanceof Problem)) this.#logFault('device.close_failed', error)
        }),
    )
  }

  #sweep(): void {
    const now = performance.now()
    const { settings, writer } = this.#ports
    const { offlineAfterMs } = settings()
    for (const ws of [...this.#sockets.values()]) {
      const data = ws.getUserData()
      const silent = now - data.heardAt
      if (silent >= offlineAfterMs) ws.close()
      else if (!data.greeted && silent >= HELLO_MS_MAX)
        refuse(ws, 'protocol-error', `no hello within ${HELLO_MS_MAX / 1000} s`)
      else if (now - data.pingedAt >= offlineAfterMs / 3) {
        data.pingedAt = now
        ws.ping()
      }
    }
    if (this.#heard.size === 0) return
    const deviceIds = [...this.#heard]
    this.#heard = new Set()
    // The writer refuses only when it is overloaded or stopping; the next pong reports the phone again.
    writer.ask('phone.heard', { deviceIds }).catch(() => {})
  }

  #logFault(event: string, error: unknown): void {
    const cause = causeOf(error)
    this.#ports.log({ level: 'error', event, fields: { cause } })
  }
}

function openData(identity: DeviceIdentity): SocketData {
  const now = performance.now()
  return {
    ...identity,
    socket: nextSocketNumber(),
    newsWaiting: 0,
    newsAsked: 0,
    greeted: false,
    heardAt: now,
    pingedAt: now,
    refused: 0,
    refusal: null,
  }
}

/** Closes the socket and says why. The writer learns the reason when the socket is closed. */
function refuse(ws: DeviceSocket, why: Refusal['why'], reason: string): void {
  ws.getUserData().refusal = { why, reason }
  ws.end(why === 'too-big' ? CLOSE.tooBig : CLOSE_CODES[why], reason)
}

function carryOut(ws: DeviceSocket, order: PhoneOrder): void {
  if (order.type === 'close') return void ws.end(CLOSE_CODES[order.why], order.reason)
  const frame = frameOf(order)
  if (frame !== null && ws.send(JSON.stringify(frame)) === DROPPED) ws.close()
}

/** The frame, or a sentence that says what is wrong with it. */
function readFrame(message: ArrayBuffer): PhoneFrame | string {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(message).toString())
  } catch {
    return 'the frame is not JSON'
  }
  const result = v.safeParse(PhoneFrame, json)
  if (result.success) return result.output
  const [issue] = result.issues
  return `${v.getDotPath(issue) ?? 'frame'}: ${wordingOf(issue)}`
}
