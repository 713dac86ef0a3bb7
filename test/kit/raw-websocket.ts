/** A device socket as raw bytes, for frames that no client library would send. */

import { connect, type Socket } from 'node:net'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { HELLO } from '#test/kit/hello.ts'
import { rawRequest } from '#test/kit/raw-http.ts'

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
const MASK = Buffer.from([0x1f, 0x2e, 0x3d, 0x4c])

export interface FrameParts {
  readonly opcode?: number
  readonly payload?: string | Uint8Array
  readonly last?: boolean
}

/** One masked frame, as a client sends it. */
export function frameOf({ opcode = OPCODE.text, payload = '', last = true }: FrameParts): Buffer {
  const bytes = Buffer.from(payload)
  const first = Buffer.from([(last ? 0x80 : 0) | opcode])
  const masked = bytes.map((byte, i) => byte ^ (MASK[i % 4] ?? 0))
  return Buffer.concat([first, lengthField(bytes.length), MASK, masked])
}

/** The same frame many times. */
export function framesOf(count: number, parts: FrameParts): Buffer {
  return Buffer.concat(new Array<Buffer>(count).fill(frameOf(parts)))
}

/** The length of a masked frame in 1, 3 or 9 bytes. The highest bit of the first byte means: masked. */
function lengthField(length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | length])
  if (length < 65_536) {
    const field = Buffer.from([0x80 | 126, 0, 0])
    field.writeUInt16BE(length, 1)
    return field
  }
  const field = Buffer.alloc(9)
  field[0] = 0x80 | 127
  field.writeBigUInt64BE(BigInt(length), 1)
  return field
}

export function upgradeRequest(
  token: string | null,
  headers: readonly (readonly [string, string])[] = [],
): Buffer {
  return rawRequest({
    path: '/device/v1/socket',
    headers: [
      ['Upgrade', 'websocket'],
      ['Connection', 'Upgrade'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Protocol', 'roost.device.v1'],
      ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ...headers,
    ],
  })
}

export interface Ending {
  /** The code of the close frame; null when the connection ended without one. */
  readonly code: number | null
  readonly reason: string
}

export type ReceivedFrame = { readonly type: string } & Record<string, unknown>

/** A phone that sends any frame a test gives it. It answers pings until `ignorePings` is called. */
export class RawPhone {
  /** The frames received that `next` has not taken. */
  readonly received: ReceivedFrame[] = []
  readonly #socket: Socket
  #answersPings = true
  #buffer = Buffer.alloc(0)
  #ending: Ending | null = null
  #wake = Promise.withResolvers<void>()

  private constructor(socket: Socket, rest: Buffer) {
    this.#socket = socket
    socket.on('data', chunk => this.#read(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#ending ??= { code: null, reason: '' }
      this.#changed()
    })
    this.#read(rest)
  }

  /** @throws Error with the gateway's answer if it refuses the upgrade */
  static open(url: string, token: string): Promise<RawPhone> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(upgradeRequest(token)))
      let head = Buffer.alloc(0)
      const read = (chunk: Buffer) => {
        head = Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        socket.off('data', read)
        if (head.toString('latin1').startsWith('HTTP/1.1 101'))
          resolve(new RawPhone(socket, head.subarray(end + 4)))
        else reject(new Error(head.toString('latin1')))
      }
      socket.on('data', read)
      socket.once('error', reject)
    })
  }

  /** Opens a socket, and does the handshake from hello to synced. */
  static async ready(url: string, token: string, hello: PhoneFrame = SIM_HELLO): Promise<RawPhone> {
    const phone = await RawPhone.open(url, token)
    phone.sendFrame(hello)
    await phone.next('welcome')
    phone.sendFrame({ type: 'sync', messages: [] })
    await phone.next('synced')
    return phone
  }

  sendFrame(frame: unknown): void {
    this.write(frameOf({ payload: JSON.stringify(frame) }))
  }

  write(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  /** Takes the next frame of this type; others stay. @throws Error if the socket ends without such a frame */
  async next(type: string): Promise<ReceivedFrame> {
    for (;;) {
      const at = this.received.findIndex(frame => frame.type === type)
      const [found] = at < 0 ? [] : this.received.splice(at, 1)
      if (found !== undefined) return found
      if (this.#ending !== null) throw new Error(`no ${type}: ${JSON.stringify(this.#ending)}`)
      await this.#wake.promise
    }
  }

  /** Resolves when the connection has ended, with how the gateway ended it. */
  async ended(): Promise<Ending> {
    while (this.#ending === null) await this.#wake.promise
    return this.#ending
  }

  ignorePings(): void {
    this.#answersPings = false
  }

  /** Sends FIN: the phone sends nothing more. The gateway still reads what was sent before. */
  end(): void {
    this.#socket.end()
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    // The gateway sends no frames of 64 KiB or more, which would have a length of eight bytes.
    while (this.#buffer.length >= 2) {
      const short = (this.#buffer[1] ?? 0) & 0x7f
      const isLong = short === 126
      if (isLong && this.#buffer.length < 4) return
      const start = isLong ? 4 : 2
      const size = isLong ? this.#buffer.readUInt16BE(2) : short
      if (this.#buffer.length < start + size) return
      const opcode = (this.#buffer[0] ?? 0) & 0x0f
      const payload = this.#buffer.subarray(start, start + size)
      this.#buffer = this.#buffer.subarray(start + size)
      this.#take(opcode, payload)
      this.#changed()
    }
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.text) this.received.push(JSON.parse(payload.toString()) as ReceivedFrame)
    else if (opcode === OPCODE.ping && this.#answersPings)
      this.write(frameOf({ opcode: OPCODE.pong, payload }))
    else if (opcode === OPCODE.close) {
      const code = payload.length >= 2 ? payload.readUInt16BE(0) : null
      this.#ending = { code, reason: payload.subarray(2).toString() }
      this.#socket.end()
    }
  }

  #changed(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }
}

/** The first frame of a phone with one SIM card. */
export const SIM_HELLO = {
  ...HELLO,
  sims: [{ slot: 1, carrier: 'A', countryCode: 'us', phoneNumber: null }],
}
