/**
 * Timeouts of unanswered requests. One timer serves all, because one for each request would be created and
 * cleared thousands of times a second. All have the same timeout, so the oldest is first, and the timer waits
 * only for that one.
 *
 * uWebSockets.js closes a connection without an answer if a body stalls for 8 s. To answer a slow client at
 * the deadline, that timeout is renewed in steps until then.
 */
import { BODY_STILL_MS_MAX } from '#contracts/bounds.ts'

/** The part of an exchange that this file uses. */
export interface OpenExchange {
  /** It was not answered in time. Called once. */
  expire(): void
  /** It still has time: a body that is being read may go on. */
  renew(): void
}

export class OpenExchanges {
  readonly #monoMs: () => number
  readonly #steps: number
  readonly #stepMs: number
  /** When each is to be looked at next, and how many steps it has left then; the earliest first. */
  readonly #open = new Map<OpenExchange, { readonly at: number; readonly steps: number }>()
  #timer: NodeJS.Timeout | undefined

  /** `msMax`: how long each may take. */
  constructor(msMax: number, monoMs = () => performance.now()) {
    this.#monoMs = monoMs
    this.#steps = Math.ceil(msMax / BODY_STILL_MS_MAX)
    this.#stepMs = msMax / this.#steps
  }

  add(exchange: OpenExchange): void {
    this.#open.set(exchange, { at: this.#monoMs() + this.#stepMs, steps: this.#steps - 1 })
    this.#timer ??= this.#wait(this.#stepMs)
  }

  delete(exchange: OpenExchange): void {
    this.#open.delete(exchange)
  }

  /** The timer does not keep a thread alive. */
  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), ms).unref()
  }

  #look(): void {
    const now = this.#monoMs()
    this.#timer = undefined
    for (const [exchange, { at, steps }] of this.#open) {
      if (at > now) {
        this.#timer = this.#wait(at - now)
        return
      }
      this.#open.delete(exchange)
      if (steps === 0) exchange.expire()
      else {
        this.#open.set(exchange, { at: at + this.#stepMs, steps: steps - 1 })
        exchange.renew()
      }
    }
  }
}
