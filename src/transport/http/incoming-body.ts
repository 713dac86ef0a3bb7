import type { HttpResponse } from 'uWebSockets.js'
import { REFUSED_BODY_BYTES_MAX, REFUSED_BODY_STILL_MS_MAX } from '#contracts/connection-bounds.ts'

/**
 * The body of one request while it arrives. uWebSockets.js hands it over only if the request's handler asked
 * for it before it returned.
 */
export class IncomingBody {
  readonly #res: HttpResponse
  readonly #declaredBytes: number
  #state: 'unread' | 'arriving' | 'whole'
  /** Called with the size of each chunk that is dropped after the refusal. */
  #dropped: (bytes: number) => void = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(res: HttpResponse, headers: Readonly<Record<string, string>>) {
    this.#res = res
    this.#declaredBytes = Number(headers['content-length'] ?? 0)
    const hasNone = this.#declaredBytes === 0 && headers['transfer-encoding'] === undefined
    this.#state = hasNone ? 'whole' : 'unread'
  }

  /** It was asked for, and its end has not arrived. */
  get isArriving(): boolean {
    return this.#state === 'arriving'
  }

  /** Calls `done` once: with the whole body, or with `null` as soon as it is longer than allowed. */
  read(bytesMax: number, done: (body: Buffer | null) => void): void {
    if (this.#declaredBytes > bytesMax) {
      this.drop()
      return done(null)
    }
    const chunks: Buffer[] = []
    let length = 0
    this.#receive((chunk, isLast) => {
      if (length > bytesMax) return
      length += chunk.byteLength
      if (length > bytesMax) {
        chunks.length = 0
        return done(null)
      }
      // The chunk's memory is invalid after this callback.
      const copy = Buffer.from(new Uint8Array(chunk))
      if (isLast && chunks.length === 0) return done(copy)
      chunks.push(copy)
      if (isLast) done(Buffer.concat(chunks, length))
    })
  }

  /** Takes what arrives, and keeps nothing of it. */
  drop(): void {
    if (this.#state === 'unread') this.#receive(() => {})
  }

  /**
   * Calls `done` once, in a later turn of the event loop: when the caller has sent the rest of the body,
   * stops sending, or sends too much. If the connection closed before, the kernel would reset it at the next
   * bytes, and a caller who writes before it reads would see a broken connection in place of the answer
   * (RFC 9112, section 9.6).
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
      this.#timer = setTimeout(finish, REFUSED_BODY_STILL_MS_MAX).unref()
    }
    this.#dropped = more => {
      clearTimeout(this.#timer)
      bytes += more
      if (this.isArriving && bytes <= REFUSED_BODY_BYTES_MAX) return wait()
      this.end()
      setImmediate(done)
    }
    wait()
  }

  /** The exchange is over: nobody waits for the rest any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#dropped = () => {}
  }

  #receive(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#state = 'arriving'
    this.#res.onData((chunk, isLast) => {
      if (isLast) this.#state = 'whole'
      take(chunk, isLast)
      this.#dropped(chunk.byteLength)
    })
  }
}
