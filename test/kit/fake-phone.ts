/**
 * A small, fast phone with a journal in memory. It follows the device protocol, records every `go` and
 * every use of the radio, and stops at any step that the test holds.
 */
import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import { DEVICE_SUBPROTOCOL, type GatewayFrame } from '#contracts/device-frames.ts'
import type { JournalState } from '#contracts/phone-orders.ts'
import type { Pairing } from '#test/kit/gateway-process.ts'

export interface Outcome {
  readonly state: JournalState
  readonly code?: string
}

interface Entry {
  readonly attempt: number
  readonly text: string
  state: JournalState
  code: string | null
  acked: boolean
}

/** A step before which the test can hold the phone. */
export type Step = 'begin' | 'radio' | 'report'

type Frame<T, F = GatewayFrame> = F extends { readonly type: infer U } ? (T extends U ? F : never) : never

export class FakePhone extends EventEmitter<{
  frame: [GatewayFrame]
  closed: [number]
  step: [Step, string]
}> {
  readonly deviceId: string
  /** `messageId attempt`, once for each `go` received. */
  readonly gos: string[] = []
  /** Message ids in the order in which the radio sent them. */
  readonly radio: string[] = []
  /** Texts in the same order. */
  readonly texts: string[] = []
  readonly journal = new Map<string, Entry>()
  /** The outcome of each message. */
  outcome: (messageId: string, attempt: number) => Outcome = () => ({ state: 'delivered' })
  readonly #token: string
  readonly #held = new Map<Step, (() => void)[]>()
  readonly #begun = new Set<string>()
  #socket: WebSocket | null = null

  constructor({ deviceId, token }: Pairing) {
    super()
    this.setMaxListeners(0)
    this.deviceId = deviceId
    this.#token = token
  }

  /** Connects. Resolves at `synced`, or when the gateway cannot be reached. `about`: more of the hello. */
  async connect(socketUrl: string, about: object = {}): Promise<void> {
    const headers = { Authorization: `Bearer ${this.#token}` }
    const socket = new WebSocket(socketUrl, DEVICE_SUBPROTOCOL, { headers, perMessageDeflate: false })
    const isMine = () => this.#socket === socket
    this.#socket = socket
    this.#begun.clear()
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => {
      if (isMine()) this.#take(JSON.parse(data.toString()) as GatewayFrame)
    })
    socket.on('close', code => {
      if (isMine()) this.#socket = null
      this.emit('closed', code)
    })
    socket.on('open', () =>
      this.#send({ type: 'hello', protocol: 1, bootId: 'b', appVersion: '1', platform: 'test', ...about }),
    )
    const synced = this.nextFrame('synced')
    // Not once(), which rejects when the connection is refused or reset.
    const closed = new Promise(resolve => socket.on('close', resolve))
    await Promise.race([synced, closed])
  }

  /** The next frame of this type. */
  nextFrame<T extends GatewayFrame['type']>(type: T): Promise<Frame<T>> {
    return new Promise(resolve => {
      const look = (frame: GatewayFrame) => {
        if (frame.type !== type) return
        this.off('frame', look)
        resolve(frame as Frame<T>)
      }
      this.on('frame', look)
    })
  }

  /** Breaks the connection without a close frame. */
  drop(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.terminate()
  }

  /** Lets every message wait before this step until `release`. */
  hold(step: Step): void {
    this.#held.set(step, this.#held.get(step) ?? [])
  }

  release(step: Step): void {
    const waiting = this.#held.get(step) ?? []
    this.#held.delete(step)
    for (const proceed of waiting) proceed()
  }

  /** Resolves with the message id when the phone reaches the step. */
  reached(step: Step): Promise<string> {
    return new Promise(resolve => {
      const look = (reached: Step, messageId: string) => {
        if (reached !== step) return
        this.off('step', look)
        resolve(messageId)
      }
      this.on('step', look)
    })
  }

  #take(frame: GatewayFrame): void {
    if (frame.type === 'welcome') this.#sync()
    else if (frame.type === 'offer') this.#offer(frame)
    else if (frame.type === 'go') this.#go(frame)
    else if (frame.type === 'ack' && 'messageId' in frame) this.#acked(frame)
    else if (frame.type === 'no' || frame.type === 'cancel') this.#forget(frame.messageId)
    this.emit('frame', frame)
  }

  #sync(): void {
    const open = [...this.journal].filter(([, entry]) => !entry.acked)
    const messages = open.map(([messageId, { attempt, state, code }]) => ({
      messageId,
      attempt,
      state,
      code,
    }))
    const size = 100
    for (let from = 0; from === 0 || from < messages.length; from += size) {
      const more = from + size < messages.length
      this.#send({ type: 'sync', messages: messages.slice(from, from + size), more })
    }
  }

  #offer({ messageId, attempt, message }: Frame<'offer'>): void {
    const known = this.journal.get(messageId)
    const isOld = known !== undefined && (attempt < known.attempt || !isOpen(known, attempt))
    if (isOld) return this.#report(messageId)
    this.journal.set(messageId, { attempt, text: message, state: 'accepted', code: null, acked: false })
    this.#step('begin', messageId, () => {
      this.#begun.add(`${messageId} ${attempt}`)
      this.#send({ type: 'begin', messageId, attempt })
    })
  }

  #go({ messageId, attempt }: Frame<'go'>): void {
    this.gos.push(`${messageId} ${attempt}`)
    this.#step('radio', messageId, () => {
      const entry = this.journal.get(messageId)
      // A go is valid once, on the connection that asked for it.
      if (!this.#begun.delete(`${messageId} ${attempt}`)) return
      if (entry?.state !== 'accepted' || entry.attempt !== attempt) return
      entry.state = 'submitting'
      const { state, code = null } = this.outcome(messageId, attempt)
      if (state !== 'failed') {
        this.radio.push(messageId)
        this.texts.push(entry.text)
      }
      // The radio takes a turn of the event loop, in which anything may happen.
      setImmediate(() => {
        entry.state = state
        entry.code = code
        this.#step('report', messageId, () => this.#report(messageId))
      })
    })
  }

  #report(messageId: string): void {
    const entry = this.journal.get(messageId)
    if (entry === undefined || entry.state === 'accepted') return
    const { attempt, state, code } = entry
    this.#send({ type: 'report', messageId, attempt, state, code, at: new Date().toISOString() })
  }

  #acked({ messageId, attempt, state }: Extract<GatewayFrame, { type: 'ack'; messageId: string }>): void {
    const entry = this.journal.get(messageId)
    if (entry?.attempt === attempt && entry.state === state) entry.acked = true
  }

  #forget(messageId: string): void {
    if (this.journal.get(messageId)?.state === 'accepted') this.journal.delete(messageId)
  }

  #step(step: Step, messageId: string, proceed: () => void): void {
    const held = this.#held.get(step)
    this.emit('step', step, messageId)
    if (held === undefined) proceed()
    else held.push(proceed)
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }
}

/** Whether this attempt may begin: the message was only accepted, or an earlier attempt failed. */
function isOpen({ state, attempt: last }: Entry, attempt: number): boolean {
  return state === 'accepted' || (state === 'failed' && attempt > last)
}
