/**
 * A gateway for agents under test. It sends the frames that the test gives it, right or wrong, and checks
 * every frame that it receives against the contract.
 */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { type WebSocket, WebSocketServer } from 'ws'
import { FRAME_BYTES_MAX } from '#contracts/bounds.ts'
import { DEVICE_SUBPROTOCOL, type GatewayFrame, PhoneFrame } from '#contracts/device-frames.ts'

export const PAIRING_CODE = '12345678'
export const DEVICE_TOKEN = 'device-token'
export const DEVICE_ID = 'dev_01JK0000000000000000000000'

type FrameOf<T extends PhoneFrame['type']> = Extract<PhoneFrame, { type: T }>

/** The id of the n-th message of a test. */
export function messageIdOf(n: number): string {
  return `msg_${String(n).padStart(26, '0')}`
}

type Offer = Extract<GatewayFrame, { type: 'offer' }>

/** The offer of the n-th message of a test, for its first attempt. */
export function offerOf(n: number, changes: Partial<Offer> = {}): Offer {
  const order = {
    phoneNumber: '+15550100',
    message: `text ${n}`,
    segments: 1,
    simSlot: null,
    kind: 'sms',
  } as const
  return { type: 'offer', messageId: messageIdOf(n), attempt: 1, ttlMs: 3_600_000, ...order, ...changes }
}

/** One agent's connection, seen from the gateway. */
export class PhoneSocket {
  readonly authorization: string
  /** All frames received, in order. */
  readonly received: PhoneFrame[] = []
  readonly closed: Promise<number>
  readonly #socket: WebSocket
  readonly #unread: PhoneFrame[] = []
  readonly #news = new EventEmitter()

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.#socket = socket
    this.authorization = request.headers.authorization ?? ''
    this.closed = once(socket, 'close').then(([code]) => code as number)
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => {
      if (data.length > FRAME_BYTES_MAX) throw new Error(`A frame of ${data.length} bytes.`)
      const frame = v.parse(PhoneFrame, JSON.parse(data.toString()))
      this.received.push(frame)
      this.#unread.push(frame)
      this.#news.emit('frame')
    })
  }

  sendFrame(frame: GatewayFrame): void {
    this.#socket.send(JSON.stringify(frame))
  }

  ping(): void {
    this.#socket.ping()
  }

  /** The next unread frame of this type. Frames of other types stay unread. */
  async next<T extends PhoneFrame['type']>(type: T): Promise<FrameOf<T>> {
    for (;;) {
      const index = this.#unread.findIndex(frame => frame.type === type)
      if (index >= 0) return this.#unread.splice(index, 1)[0] as FrameOf<T>
      await once(this.#news, 'frame')
    }
  }

  /** Unread frames of this type. */
  unread(type: PhoneFrame['type']): PhoneFrame[] {
    return this.#unread.filter(frame => frame.type === type)
  }

  async welcome(pingEverySeconds = 20): Promise<FrameOf<'sync'>['messages']> {
    await this.next('hello')
    const serverTime = new Date().toISOString()
    this.sendFrame({ type: 'welcome', session: 's1', serverTime, pingEverySeconds })
    const messages: FrameOf<'sync'>['messages'] = []
    for (;;) {
      const sync = await this.next('sync')
      messages.push(...sync.messages)
      if (!sync.more) return messages
    }
  }

  /** Does the handshake from hello to synced. Returns the messages in the phone's journal. */
  async handshake(pingEverySeconds = 20): Promise<FrameOf<'sync'>['messages']> {
    const messages = await this.welcome(pingEverySeconds)
    this.sendFrame({ type: 'synced' })
    return messages
  }

  go(n: number, attempt = 1): void {
    this.sendFrame({ type: 'go', messageId: messageIdOf(n), attempt })
  }

  ack({ messageId, attempt, state }: FrameOf<'report'>): void {
    this.sendFrame({ type: 'ack', messageId, attempt, state })
  }

  /** Takes the next report and acknowledges it. */
  async ackReport(): Promise<FrameOf<'report'>> {
    const report = await this.next('report')
    this.ack(report)
    return report
  }

  /** Resolves when the phone has handled all earlier frames, because it answers pings in order. */
  async settled(): Promise<void> {
    const pong = once(this.#socket, 'pong')
    this.#socket.ping()
    await pong
  }

  close(code: number): void {
    this.#socket.close(code)
  }

  /** Stops reading, like a frozen gateway. */
  freeze(): void {
    this.#socket.pause()
  }

  cut(): void {
    this.#socket.terminate()
  }
}

export class FakeGateway {
  readonly #server: Server
  readonly #sockets: WebSocketServer
  readonly #waiting: PhoneSocket[] = []
  readonly #news = new EventEmitter()
  /** If set, upgrade requests are answered with this HTTP status. */
  refuseWithStatus: number | null = null
  readonly pairings: unknown[] = []

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#sockets = new WebSocketServer({
      noServer: true,
      handleProtocols: offered => (offered.has(DEVICE_SUBPROTOCOL) ? DEVICE_SUBPROTOCOL : false),
    })
    this.#server.on('upgrade', (request, socket, head) => {
      if (this.refuseWithStatus !== null) {
        socket.end(`HTTP/1.1 ${this.refuseWithStatus} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
        return
      }
      this.#sockets.handleUpgrade(request, socket, head, webSocket => {
        this.#waiting.push(new PhoneSocket(webSocket, request))
        this.#news.emit('phone')
      })
    })
  }

  static async start(): Promise<FakeGateway> {
    const gateway = new FakeGateway()
    gateway.#server.listen(0, '127.0.0.1')
    await once(gateway.#server, 'listening')
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The next connection of an agent. */
  async nextPhone(): Promise<PhoneSocket> {
    for (;;) {
      const phone = this.#waiting.shift()
      if (phone !== undefined) return phone
      await once(this.#news, 'phone')
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { code?: string }
    this.pairings.push({ path: request.url, ...body })
    const isRight = request.url === '/device/v1/pair' && body.code === PAIRING_CODE
    response.writeHead(isRight ? 200 : 401, { 'Content-Type': 'application/json' })
    const socketUrl = 'ws://a-name-that-nobody-knows.invalid/device/v1/socket'
    const data = { deviceId: DEVICE_ID, token: DEVICE_TOKEN, socketUrl }
    const error = { code: 'UNAUTHORIZED', message: 'Unknown pairing code' }
    response.end(JSON.stringify(isRight ? { success: true, data } : { success: false, error }))
  }
}
