/**
 * The deadlines of unanswered requests. All requests share one timer, because a timer for each would be
 * created and cleared thousands of times a second. All have the same time limit, so the timer only waits for
 * the oldest.
 *
 * uWebSockets.js closes a connection without an answer if a body stalls for 8 s. So that a slow client gets
 * an answer at the deadline, the gateway renews this timeout in steps until then.
 */

/**
 * The gateway renews the timeout of uWebSockets.js for a slow body at least this often. The library cuts a
 * stalled body off after 10 s, and may be 2 s early.
 */
export const BODY_TIMEOUT_RENEWED_EVERY_MS = 5_000

/** The part of an exchange that this file uses. */
export interface OpenExchange {
  /** Called once, when the exchange has missed its deadline. */
  expire(): void
  /** Called at each step before the deadline: renews the library's timeout of a body. */
  renew(): void
}

export class OpenExchanges {
  readonly #monoMs: () => number
  readonly #steps: number
  readonly #stepMs: number
  /**
   * For each exchange the time of its next step and the number of steps left after it; the earliest comes
   * first.
   */
  readonly #open = new Map<OpenExchange, { readonly at: number; readonly steps: number }>()
  #timer: NodeJS.Timeout | undefined

  /** `msMax`: time limit of each exchange. */
  constructor(msMax: number, monoMs = () => performance.now()) {
    this.#monoMs = monoMs
    this.#steps = Math.ceil(msMax / BODY_TIMEOUT_RENEWED_EVERY_MS)
    this.#stepMs = msMax / this.#steps
  }

  add(exchange: OpenExchange): void {
    this.#open.set(exchange, { at: this.#monoMs() + this.#stepMs, steps: this.#steps - 1 })
    this.#timer ??= this.#wait(this.#stepMs)
  }

  delete(exchange: OpenExchange): void {
    this.#open.delete(exchange)
  }

  /** Starts the timer, which does not keep the thread alive. */
  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms).unref()
  }

  #check(): void {
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
