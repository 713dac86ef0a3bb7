import type { HttpResponse } from 'uWebSockets.js'
import { LARGE_BODY_BYTES } from '#transport/http/large-bodies.ts'

/**
 * After a refusal that closes the connection, this much of the body is still read and dropped: a caller reads
 * the refusal only after it has sent the body. Eight times the longest body that a route takes by default.
 */
export const REFUSED_BODY_BYTES_MAX = 16_777_216
/** A caller who sends nothing for this long has stopped sending the body, so the connection is closed. */
export const REFUSED_BODY_STALL_MS_MAX = 1000

/** Who reads a body. */
export interface BodyReader {
  /** Whether the body may go on beyond `LARGE_BODY_BYTES`. Asked once, at its first byte if it says so. */
  mayBeLarge(): boolean
  /** Called when no more is read of a body that may be large. */
  hasRead(): void
}

/**
 * The body of one request while it arrives. uWebSockets.js passes it on only if the handler asked for the
 * body before it returned.
 */
export class IncomingBody {
  readonly #res: HttpResponse
  readonly #declaredBytes: number
  #state: 'unread' | 'arriving' | 'whole'
  /** Called with the size of each chunk. It does nothing, except while `afterRest` waits. */
  #onChunk: (bytes: number) => void = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(res: HttpResponse, headers: Readonly<Record<string, string>>) {
    this.#res = res
    this.#declaredBytes = Number(headers['content-length'] ?? 0)
    const hasNone = this.#declaredBytes === 0 && headers['transfer-encoding'] === undefined
    this.#state = hasNone ? 'whole' : 'unread'
  }

  /** Whether the body was asked for and has not arrived completely. */
  get isArriving(): boolean {
    return this.#state === 'arriving'
  }

  /** Calls `done` once: with the whole body, or with null as soon as it may not be read to its end. */
  read(bytesMax: number, reader: BodyReader, done: (body: Buffer | null) => void): void {
    let isLarge = this.#declaredBytes > LARGE_BODY_BYTES
    if (this.#declaredBytes > bytesMax || (isLarge && !reader.mayBeLarge())) {
      this.drop()
      return done(null)
    }
    const chunks: Buffer[] = []
    let length = 0
    let isRefused = false
    this.#receive((chunk, isLast) => {
      if (isRefused) return
      length += chunk.byteLength
      const grows = !isLarge && length > LARGE_BODY_BYTES
      isLarge ||= grows
      if (length > bytesMax || (grows && !reader.mayBeLarge())) {
        isRefused = true
        reader.hasRead()
        chunks.length = 0
        return done(null)
      }
      if (isLast && isLarge) reader.hasRead()
      // Copy the chunk, because its memory is invalid after this callback.
      const copy = Buffer.from(new Uint8Array(chunk))
      if (isLast && chunks.length === 0) return done(copy)
      chunks.push(copy)
      if (isLast) done(Buffer.concat(chunks, length))
    })
  }

  /** Receives the body and keeps nothing of it. */
  drop(): void {
    if (this.#state === 'unread') this.#receive(() => {})
  }

  /**
   * Calls `done` once, in a later turn of the event loop: when the caller has sent the rest of the body,
   * stops sending, or sends too much. If the connection were closed earlier, the kernel would reset it at the
   * next bytes, and a caller that writes everything before it reads would see a broken connection instead of
   * the answer (RFC 9112, section 9.6).
   */
  afterRest(done: () => void): void {
    this.drop()
    if (this.#state === 'whole' || this.#declaredBytes > REFUSED_BODY_BYTES_MAX)
      return void setImmediate(done)
    let bytes = 0
    const finish = () => {
      this.end()
      done()
    }
    const wait = () => {
      this.#timer = setTimeout(finish, REFUSED_BODY_STALL_MS_MAX).unref()
    }
    this.#onChunk = more => {
      clearTimeout(this.#timer)
      bytes += more
      if (this.isArriving && bytes <= REFUSED_BODY_BYTES_MAX) return wait()
      this.end()
      setImmediate(done)
    }
    wait()
  }

  /** Ends the wait of `afterRest`, because the exchange is over. */
  end(): void {
    clearTimeout(this.#timer)
    this.#onChunk = () => {}
  }

  #receive(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#state = 'arriving'
    this.#res.onData((chunk, isLast) => {
      if (isLast) this.#state = 'whole'
      take(chunk, isLast)
      this.#onChunk(chunk.byteLength)
    })
  }
}
