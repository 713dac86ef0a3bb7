/** A device socket as raw bytes, for frames that no client library would send. */
import { connect, type Socket } from 'node:net'
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
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10)
  head[0] = (last ? 0x80 : 0) | opcode
  if (head.length === 2) head[1] = 0x80 | bytes.length
  else if (head.length === 4) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(bytes.length, 2)
  } else {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(bytes.length), 2)
  }
  const masked = bytes.map((byte, i) => byte ^ (MASK[i % 4] ?? 0))
  return Buffer.concat([head, MASK, masked])
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

export type Said = { readonly type: string } & Record<string, unknown>

/** A phone that sends any frame a test gives it, and answers pings only when the test asks for it. */
export class RawPhone {
  readonly said: Said[] = []
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

  /** @throws Error with the answer when it is no upgrade */
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

  /** Open, greeted and synced. */
  static async ready(url: string, token: string): Promise<RawPhone> {
    const phone = await RawPhone.open(url, token)
    phone.say(HELLO)
    await phone.next('welcome')
    phone.say({ type: 'sync', messages: [] })
    await phone.next('synced')
    return phone
  }

  say(frame: unknown): void {
    this.write(frameOf({ payload: JSON.stringify(frame) }))
  }

  write(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  /** Takes the next frame of this type; others stay. @throws Error when the socket ended before it */
  async next(type: string): Promise<Said> {
    for (;;) {
      const at = this.said.findIndex(frame => frame.type === type)
      const [found] = at < 0 ? [] : this.said.splice(at, 1)
      if (found !== undefined) return found
      if (this.#ending !== null) throw new Error(`no ${type}: ${JSON.stringify(this.#ending)}`)
      await this.#wake.promise
    }
  }

  /** How the gateway ended it. */
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
    for (;;) {
      const length = (this.#buffer[1] ?? 0) & 0x7f
      const start = length === 126 ? 4 : 2
      const size =
        length === 126 ? (this.#buffer.length < 4 ? Infinity : this.#buffer.readUInt16BE(2)) : length
      if (this.#buffer.length < Math.max(2, start + size)) return
      const opcode = (this.#buffer[0] ?? 0) & 0x0f
      const payload = this.#buffer.subarray(start, start + size)
      this.#buffer = this.#buffer.subarray(start + size)
      this.#take(opcode, payload)
      this.#changed()
    }
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.text) this.said.push(JSON.parse(payload.toString()) as Said)
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

export const HELLO = {
  type: 'hello',
  protocol: 1,
  bootId: 'boot',
  appVersion: '1',
  platform: 'test',
  sims: [{ slot: 1, carrier: 'A', countryCode: 'us', phoneNumber: null }],
}
