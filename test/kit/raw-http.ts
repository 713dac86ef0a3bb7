/**
 * HTTP as bytes over a socket, for requests that no client library would send. A test sees exactly what is on
 * the wire: every header line, each answer, and the end of the connection.
 */
import { connect, type Socket } from 'node:net'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

export interface RawAnswer {
  readonly status: number
  /** By lower-case name, each with all its values. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** The head as received, with everything that a parser would hide. */
  readonly head: string
  readonly body: string
}

/** For a test that waits for bytes. Shorter than the limit of a test, so that it says what came instead. */
const PATIENCE_MS = HANGS_AFTER_MS / 6
const HEAD_END = '\r\n\r\n'

export class RawConnection {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', chunk => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.off('error', reject)
        resolve(new RawConnection(socket))
      })
      socket.once('error', reject)
    })
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  /** The next complete answer; null if the connection ended before it. */
  async next(options: { readonly bodiless?: boolean } = {}): Promise<RawAnswer | null> {
    for (;;) {
      const answer = this.#take(options.bodiless ?? false)
      if (answer !== null) return answer
      if (this.#ended) return null
      await this.#change()
    }
  }

  /** Resolves when the other side has closed, with the bytes that were not read. */
  async closed(): Promise<string> {
    while (!this.#ended) await this.#change()
    return this.#received.toString('latin1')
  }

  /** Sends FIN: the caller sends nothing more. */
  end(): void {
    this.#socket.end()
  }

  /** Sends RST where the system allows it: the caller is gone. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  #change(): Promise<void> {
    const waited = Promise.withResolvers<void>()
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const giveUp = () =>
      waited.reject(new Error(`no complete answer came: ${this.#received.toString('latin1')}`))
    patience.addEventListener('abort', giveUp)
    this.#wake = waited.resolve
    return waited.promise.finally(() => patience.removeEventListener('abort', giveUp))
  }

  #take(bodiless: boolean): RawAnswer | null {
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return null
    const head = this.#received.subarray(0, headEnd).toString('latin1')
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers: Record<string, string[]> = {}
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()]
    }
    const length = bodiless ? 0 : Number(headers['content-length']?.[0] ?? 0)
    const start = headEnd + HEAD_END.length
    if (this.#received.length < start + length) return null
    const body = this.#received.subarray(start, start + length).toString()
    this.#received = this.#received.subarray(start + length)
    return { status: Number(statusLine.split(' ')[1]), headers, head, body }
  }
}

export interface RequestParts {
  readonly method?: string
  readonly path: string
  /** Each becomes a line, unchanged. `Host` is added unless it is among them. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Sent with its `Content-Length`, unless the headers already declare a length. */
  readonly body?: string | Uint8Array
}

/** The bytes of a request, unchecked and uncorrected. */
export function rawRequest({ method = 'GET', path, headers = [], body }: RequestParts): Buffer {
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name)
  const lines = [`${method} ${path} HTTP/1.1`]
  if (!has('host')) lines.push('Host: gateway.test')
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  const bytes = Buffer.from(body ?? '')
  if (body !== undefined && !has('content-length') && !has('transfer-encoding'))
    lines.push(`Content-Length: ${bytes.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}${HEAD_END}`, 'latin1'), bytes])
}
