import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { GatewayFrame } from '#contracts/device-frames.ts'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { HELLO } from '#test/kit/hello.ts'

export interface SentText {
  readonly phoneNumber: string
  readonly message: string
}

const PHONE = { name: 'phone', platform: 'test', appVersion: '1' }

/** A phone over a real socket. It sends each text at once and reports it as sent. */
export class PairedPhone {
  readonly deviceId: string
  readonly sent: SentText[] = []
  /** The numbers that it rang. */
  readonly rung: string[] = []
  /** Whether it reports each text as delivered, too. */
  reportsDelivery = false
  readonly #token: string
  /** What it accepted and has not sent. */
  readonly #offers = new Map<string, SentText & { readonly attempt: number }>()
  /** The last reports. A connection may be lost before one arrives. */
  readonly #journal: { readonly messageId: string; readonly attempt: number; readonly state: 'sent' }[] = []
  #socket: WebSocket | null = null
  #onSent: () => void = () => {}
  /** Callbacks by the id of a received text. Each is called when the gateway has stored that text. */
  readonly #onAck = new Map<string, () => void>()

  private constructor(deviceId: string, token: string) {
    this.deviceId = deviceId
    this.#token = token
  }

  /** Pairs a phone with the account; it is offline until it connects. */
  static async pair(gateway: SharedGateway, accountId: string): Promise<PairedPhone> {
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    const { deviceId, token } = await gateway.ask('device.pair', { code, ...PHONE })
    return new PairedPhone(deviceId, token)
  }

  static async pairWith(url: string, code: string): Promise<PairedPhone> {
    const response = await fetch(`${url}/device/v1/pair`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, ...PHONE }),
    })
    const answer = (await response.json()) as { data?: { deviceId: string; token: string } }
    if (answer.data === undefined) throw new Error(`pairing was answered ${response.status}`)
    return new PairedPhone(answer.data.deviceId, answer.data.token)
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Resolves when the phone is ready for offers, or has lost the connection. `about`: more of the hello. */
  async connect(url: string, about: object = {}): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` }
    const target = `${url.replace(/^http/, 'ws')}/device/v1/socket`
    const socket = new WebSocket(target, 'roost.device.v1', { headers })
    this.#socket = socket
    const synced = Promise.withResolvers<void>()
    socket.on('message', bytes => {
      const frame = JSON.parse(String(bytes)) as GatewayFrame
      if (frame.type === 'synced') synced.resolve()
      else this.#take(frame)
    })
    await once(socket, 'open')
    this.#send({ ...HELLO, ...about })
    const accepted = [...this.#offers].map(([messageId, { attempt }]) => ({
      messageId,
      attempt,
      state: 'accepted',
    }))
    this.#send({ type: 'sync', messages: [...this.#journal.slice(-10), ...accepted] })
    await Promise.race([synced.promise, once(socket, 'close')])
  }

  /** Resolves when this many texts were sent in all. */
  async whenSent(count: number): Promise<readonly SentText[]> {
    while (this.sent.length < count)
      await new Promise<void>(resolve => {
        this.#onSent = resolve
      })
    return this.sent
  }

  /** Reports a text that the phone received. Resolves when the gateway has it on disk. */
  async reportReceived(received: {
    readonly id: string
    readonly from: string | null
    readonly message: string
    readonly at?: string | number
    readonly simSlot?: number
  }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onAck.set(received.id, resolve)
    this.#send({ type: 'received', ...received })
    await promise
  }

  /** Reports the charge of its battery, percent. */
  reportBattery(battery: number): void {
    this.#send({ type: 'telemetry', battery, charging: false, signal: null, sims: [], busy: false })
  }

  async disconnect(): Promise<void> {
    const socket = this.#socket
    if (socket === null || socket.readyState === WebSocket.CLOSED) return
    socket.close()
    await once(socket, 'close')
  }

  #take(frame: GatewayFrame): void {
    if (frame.type === 'offer') {
      const { messageId, attempt, phoneNumber, message } = frame
      this.#offers.set(messageId, { phoneNumber, message, attempt })
      this.#send({ type: 'begin', messageId, attempt })
    } else if (frame.type === 'go') {
      const { messageId, attempt } = frame
      const text = this.#offers.get(messageId)
      this.#offers.delete(messageId)
      if (text !== undefined) this.sent.push({ phoneNumber: text.phoneNumber, message: text.message })
      const outcome = { messageId, attempt, state: 'sent' } as const
      this.#journal.push(outcome)
      this.#send({ type: 'report', ...outcome })
      if (this.reportsDelivery) this.#send({ type: 'report', ...outcome, state: 'delivered' })
      this.#onSent()
    } else if (frame.type === 'no' || frame.type === 'cancel') {
      this.#offers.delete(frame.messageId)
    } else if (frame.type === 'ring') {
      this.rung.push(frame.phoneNumber)
      this.#send({ type: 'rang', ringId: frame.ringId, outcome: 'rang' })
    } else if (frame.type === 'ack' && 'id' in frame) this.#onAck.get(frame.id)?.()
  }

  #send(frame: unknown): void {
    this.#socket?.send(JSON.stringify(frame))
  }
}
