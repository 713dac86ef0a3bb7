/**
 * The live sockets of open pages: checks access and sends news. A page sends its half of the session's secret
 * in the first frame, because browsers do not let a page set headers of a WebSocket. The gateway checks the
 * origin of the page, because pages of other sites could open a WebSocket here, with the gateway's cookie.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'
import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { LIVE_CLOSE, LIVE_REFUSAL_SUBPROTOCOL, LIVE_SUBPROTOCOL, LiveHello } from '#contracts/live.ts'
import type { AccountNews, LogEntry } from '#contracts/thread-frames.ts'
import type { Principal } from '#domain/account/principal.ts'
import { gatewayStopping, invalid, limitReached, Problem } from '#domain/problem.ts'
import { bearerOf, bySession, byToken, type Credentials, unauthorized } from '#transport/http/authenticate.ts'
import { isTrustedPeer } from '#transport/http/client-address.ts'
import { countStranger, type StrangerPorts } from '#transport/http/count-call.ts'
import { readHead, requestId } from '#transport/http/request-head.ts'
import type { ListenerSettings } from '#transport/http/server-ports.ts'
import { HALF_HEADER, sessionCookies } from '#transport/http/session-cookie.ts'
import { NewsPacer } from '#transport/live/news-pacer.ts'
import { refuseUpgrade } from '#transport/refuse-upgrade.ts'

/** A live socket that has not authenticated with a session after this time is closed. */
const LIVE_HELLO_MS_MAX = 5_000
/** Bytes that may wait for a page that has stopped reading; with more, its socket is closed. */
const LIVE_BACKLOG_BYTES_MAX = 65_536
/** Largest frame from a page: it sends only its half of the session's secret. */
const LIVE_FRAME_BYTES_MAX = 1_024
/** A socket is closed after this silence. Browsers answer the gateway's pings by themselves. */
const LIVE_IDLE_S = 60
/** Sockets of one listener that may be open without an authenticated session. */
const LIVE_UNAUTHENTICATED_MAX = 256

export interface LiveSocketPorts extends OriginPorts, StrangerPorts {
  readonly listener: number
  readonly writer: Writer
  readonly credentials: Credentials
  readonly log: (entry: LogEntry) => void
  readonly draining: () => boolean
  /** Called when a socket is closed. */
  readonly closed: () => void
}

interface SocketData {
  readonly socket: number
  readonly headers: Readonly<Record<string, string>>
  readonly openedAt: number
  /** Null until the page has authenticated. */
  principal: Principal | null
  half: string | undefined
  /** Why the gateway closes the socket at once; null: it accepts the page. */
  readonly refusal: string | null
}

type LiveSocket = WebSocket<SocketData>

/** How often sockets are checked for an ended session or a missing first frame. */
const SWEEP_MS = 1_000

export class LiveSockets {
  readonly #ports: LiveSocketPorts
  /** Sockets of pages that have not authenticated yet. */
  readonly #unauthenticated = new Set<LiveSocket>()
  readonly #sockets = new Map<string, Set<LiveSocket>>()
  readonly #pacer = new NewsPacer((accountId, frame) => this.#send(accountId, frame))
  readonly #sweeper: NodeJS.Timeout
  #lastSocket = 0

  constructor(ports: LiveSocketPorts) {
    this.#ports = ports
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS)
  }

  /** Serves pages that connect to this app. */
  serve(app: TemplatedApp): void {
    app.ws<SocketData>('/api/v1/live', {
      maxPayloadLength: LIVE_FRAME_BYTES_MAX,
      maxBackpressure: LIVE_BACKLOG_BYTES_MAX,
      closeOnBackpressureLimit: true,
      idleTimeout: LIVE_IDLE_S,
      sendPingsAutomatically: true,
      upgrade: (res, req, context) => this.#upgrade(res, req, context),
      open: ws => {
        const { principal, refusal } = ws.getUserData()
        if (refusal !== null) ws.end(LIVE_CLOSE.forbidden, refusal)
        else if (principal === null) this.#unauthenticated.add(ws)
        else this.#join(ws)
      },
      message: (ws, message, isBinary) => this.#receive(ws, message, isBinary),
      close: ws => this.#closed(ws),
    })
  }

  /** Passes on news that the writer has committed. */
  apply(committed: readonly AccountNews[]): void {
    for (const { accountId, news } of committed) this.#pacer.add(accountId, news)
  }

  close(): void {
    clearInterval(this.#sweeper)
    this.#pacer.stop()
    for (const ws of this.#all()) ws.end(LIVE_CLOSE.goingAway, 'the gateway is stopping')
  }

  #upgrade(res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    const { headers, fault } = readHead(req)
    const remote = res.getRemoteAddress()
    const key = req.getHeader('sec-websocket-key')
    const extensions = req.getHeader('sec-websocket-extensions')
    const upgrade = (principal: Principal | null, refusal: string | null) => {
      const socket = ++this.#lastSocket
      const data = { socket, headers, openedAt: performance.now(), principal, half: undefined, refusal }
      const protocol = refusal === null ? LIVE_SUBPROTOCOL : LIVE_REFUSAL_SUBPROTOCOL
      // Only in the turn of the request, in which the library has corked the socket itself. Later it prints a
      // warning, and in a cork of our own it sometimes treats the socket as HTTP and closes it.
      res.upgrade<SocketData>(data, key, protocol, extensions, context)
    }
    // Each attempt counts as an anonymous call of the address.
    const rate = countStranger(this.#ports, remote, headers)
    try {
      if (!rate.allowed) throw limitReached(`more than ${rate.limit} calls a minute`, rate)
      if (fault !== null) throw invalid([{ path: 'header', message: fault }])
      upgrade(this.#admit(headers, remote), null)
    } catch (error) {
      if (!(error instanceof Problem)) this.#logFault(error)
      const problem = error instanceof Problem ? error : new Problem('INTERNAL_ERROR', 'something went wrong')
      if (problem.code === 'FORBIDDEN' && offers(headers, LIVE_REFUSAL_SUBPROTOCOL))
        return upgrade(null, problem.message)
      // Refuse in a later turn of the event loop. In this one, the parser would still read the bytes that
      // follow the refused request.
      setImmediate(() => {
        if (!aborted) refuseUpgrade(res, problem, { id: requestId(headers['x-request-id']), rate })
      })
    }
  }

  /**
   * The caller; null: a page that authenticates later, by its first frame.
   *
   * @throws Problem to refuse the socket
   */
  #admit(headers: SocketData['headers'], remote: ArrayBuffer): Principal | null {
    const { draining, credentials } = this.#ports
    if (draining()) throw gatewayStopping()
    if (!offers(headers, LIVE_SUBPROTOCOL))
      throw invalid([{ path: 'Sec-WebSocket-Protocol', message: `must be ${LIVE_SUBPROTOCOL}` }])
    if (!isOwnOrigin(headers, remote, this.#ports))
      throw new Problem(
        'FORBIDDEN',
        'the page belongs to another site; if it is this gateway behind a proxy, set public_url',
      )
    const bearer = bearerOf(headers['authorization'])
    if (bearer !== null) {
      const principal = byToken(bearer, credentials)
      if (principal === null) throw unauthorized('account')
      return principal
    }
    // Browsers always send the origin of a page. So a request without one comes from no page and has no
    // session.
    if (headers['origin'] === undefined || sessionCookies(headers, credentials.cookieTag).length === 0)
      throw unauthorized('account')
    if (this.#unauthenticated.size >= LIVE_UNAUTHENTICATED_MAX)
      throw new Problem('SERVICE_UNAVAILABLE', 'too many sockets without a session: try again in 5 s', {
        retryAfterS: 5,
      })
    return null
  }

  #receive(ws: LiveSocket, message: ArrayBuffer, isBinary: boolean): void {
    const data = ws.getUserData()
    if (data.refusal !== null) return
    const hello = isBinary || data.principal !== null ? null : readHello(message)
    if (hello === null) return void ws.end(LIVE_CLOSE.protocolError, 'send one frame only: {"half": …}')
    data.half = hello.half
    data.principal = this.#current(data)
    this.#unauthenticated.delete(ws)
    if (data.principal === null)
      return void ws.end(LIVE_CLOSE.unauthorized, 'no session has these two halves')
    this.#join(ws)
  }

  /** The principal of the socket now; null: its session or token has ended. */
  #current({ headers, half, principal }: SocketData): Principal | null {
    const { credentials } = this.#ports
    if (principal?.token === undefined) return bySession({ ...headers, [HALF_HEADER]: half }, credentials)
    if (principal.token.expiresAt <= Date.now()) return null
    return credentials.reader.byToken(principal.token) ?? null
  }

  #join(ws: LiveSocket): void {
    const { socket, principal } = ws.getUserData()
    const accountId = principal?.accountId ?? ''
    const sockets = this.#sockets.get(accountId) ?? new Set()
    sockets.add(ws)
    this.#sockets.set(accountId, sockets)
    const { listener, writer } = this.#ports
    const userId = principal?.user?.id
    writer.ask('live.join', { accountId, listener, socket, userId }).catch(error => {
      if (!this.#sockets.get(accountId)?.has(ws)) return
      ws.end(LIVE_CLOSE.tooMany, error instanceof Problem ? error.message : 'something went wrong')
    })
  }

  #closed(ws: LiveSocket): void {
    this.#ports.closed()
    this.#unauthenticated.delete(ws)
    const { socket, principal } = ws.getUserData()
    const accountId = principal?.accountId ?? ''
    const sockets = this.#sockets.get(accountId)
    if (sockets?.delete(ws) !== true) return
    if (sockets.size === 0) this.#sockets.delete(accountId)
    const { listener, writer } = this.#ports
    writer.ask('live.leave', { accountId, listener, socket }).catch(() => {
      // The writer has ended, and with it its list of open sockets.
    })
  }

  #send(accountId: string, frame: string): void {
    for (const ws of [...(this.#sockets.get(accountId) ?? [])]) if (this.#isAlive(ws)) ws.send(frame)
  }

  #isAlive(ws: LiveSocket): boolean {
    if (this.#current(ws.getUserData()) !== null) return true
    ws.end(LIVE_CLOSE.unauthorized, 'the session has ended')
    return false
  }

  #sweep(): void {
    const now = performance.now()
    for (const ws of [...this.#unauthenticated])
      if (now - ws.getUserData().openedAt >= LIVE_HELLO_MS_MAX)
        ws.end(LIVE_CLOSE.protocolError, 'the page did not authenticate in time')
    for (const sockets of [...this.#sockets.values()]) for (const ws of [...sockets]) this.#isAlive(ws)
  }

  #all(): LiveSocket[] {
    return [...this.#unauthenticated, ...[...this.#sockets.values()].flatMap(sockets => [...sockets])]
  }

  #logFault(error: unknown): void {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#ports.log({ level: 'error', event: 'live.upgrade_failed', fields: { cause } })
  }
}

/** Whether the client offers this subprotocol. */
function offers(headers: SocketData['headers'], protocol: string): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(',').some(one => one.trim() === protocol)
}

function readHello(message: ArrayBuffer): v.InferOutput<typeof LiveHello> | null {
  try {
    const parsed = v.safeParse(LiveHello, JSON.parse(Buffer.from(message).toString()))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

interface OriginPorts {
  /** The configuration key `public_url`; may be empty. */
  readonly publicUrl: string
  readonly settings: () => ListenerSettings
}

/**
 * Whether the calling page belongs to this gateway. The host of its origin must be the host of the request,
 * the host that a trusted proxy reports, or that of `public_url`. A caller without an origin is not a page,
 * and is accepted.
 */
function isOwnOrigin(
  headers: Readonly<Record<string, string | undefined>>,
  remote: ArrayBuffer,
  { publicUrl, settings }: OriginPorts,
): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  if (host === undefined || host === '') return false
  const own = [headers['host'], URL.parse(publicUrl)?.host]
  if (isTrustedPeer(remote, settings().trustedProxies))
    own.push(headers['x-forwarded-host']?.split(',').at(-1)?.trim())
  return own.some(one => one?.toLowerCase() === host)
}
