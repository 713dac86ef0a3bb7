/**
 * One WebSocket to the gateway, from the upgrade to its end. Frames are plain text here.
 * `session/gateway-frame.ts` parses them.
 */
import WebSocket from 'ws'
import { reasonOf, trustOf } from '#agent/agent-error.ts'
import { AGENT_WELCOME_MS_MAX, FRAME_BYTES_MAX, SOCKET_BACKLOG_BYTES_MAX } from '#contracts/bounds.ts'
import { DEVICE_SUBPROTOCOL } from '#contracts/device-frames.ts'

export type ConnectionEnd =
  | { readonly kind: 'closed'; readonly closeCode: number; readonly reason: string }
  /** The server answered the upgrade request with this status instead of 101. */
  | { readonly kind: 'refused'; readonly httpStatus: number }
  | { readonly kind: 'failed'; readonly reason: string }

export interface ConnectionEvents {
  opened(): void
  /** Called for everything that arrives, pings included. */
  heard(): void
  frame(text: string): void
  /** Called once, after all other events. */
  ended(end: ConnectionEnd): void
}

export interface Connection {
  send(text: string): void
  close(): void
  /** Ends the connection without waiting for the gateway, which may be gone. */
  terminate(reason: string): void
}

export interface GatewayAddress {
  readonly socketUrl: string
  readonly token: string
  /** PEM of the only authority to trust. Left out: those built into Node.js are trusted. */
  readonly authority?: string | undefined
  /** Whether the gateway is in this process. Its certificate is then not checked. */
  readonly isOwnGateway?: boolean
}

export function openConnection(
  { socketUrl, token, authority, isOwnGateway = false }: GatewayAddress,
  events: ConnectionEvents,
): Connection {
  const socket = new WebSocket(socketUrl, [DEVICE_SUBPROTOCOL], {
    headers: { Authorization: `Bearer ${token}` },
    handshakeTimeout: AGENT_WELCOME_MS_MAX,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    rejectUnauthorized: !isOwnGateway,
    ...(authority !== undefined && { ca: authority }),
  })
  let ended = false
  let failure: string | null = null
  function end(how: ConnectionEnd): void {
    if (ended) return
    ended = true
    events.ended(how)
  }
  function terminate(reason: string): void {
    end({ kind: 'failed', reason })
    socket.terminate()
  }
  const unlessEnded = (run: () => void) => {
    if (!ended) run()
  }
  socket.on('open', () => unlessEnded(events.opened))
  socket.on('ping', () => unlessEnded(events.heard))
  socket.on('message', data =>
    unlessEnded(() => {
      events.heard()
      events.frame(data.toString())
    }),
  )
  socket.on('unexpected-response', (request, response) => {
    end({ kind: 'refused', httpStatus: response.statusCode ?? 0 })
    request.destroy()
    socket.terminate()
  })
  socket.on('error', error => {
    failure ??= reasonOf(error, trustOf(authority)) || error.name
  })
  socket.on('close', (closeCode, reason) => {
    // 1006 means that no close frame arrived. An error of the socket says more.
    if (closeCode === 1006) end({ kind: 'failed', reason: failure ?? 'the connection was cut' })
    else end({ kind: 'closed', closeCode, reason: reason.toString() })
  })
  return {
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(text)
      if (socket.bufferedAmount > SOCKET_BACKLOG_BYTES_MAX) terminate('the gateway does not read')
    },
    close: () => socket.close(1000),
    terminate,
  }
}
