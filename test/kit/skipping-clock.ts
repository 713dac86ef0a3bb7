import type { Clock } from '#agent/clock.ts'

/**
 * A clock for programs that use real connections. A timer fires at the next turn of the event loop, and the
 * clock jumps ahead by its delay. Only timers of one length, the timeout of a call, wait until the test calls
 * `timeOut`.
 */
export class SkippingClock implements Clock {
  #monotonicMs = 1_000
  #wallMs = Date.parse('2026-01-31T12:00:00.000Z')
  readonly #callMs: number
  readonly #calls = new Set<() => void>()

  constructor(callMs: number) {
    this.#callMs = callMs
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  wallMs(): number {
    return this.#wallMs
  }

  after(delayMs: number, run: () => void): () => void {
    if (delayMs === this.#callMs) {
      this.#calls.add(run)
      return () => this.#calls.delete(run)
    }
    const immediate = setImmediate(() => {
      this.advance(delayMs)
      run()
    })
    return () => clearImmediate(immediate)
  }

  /** Moves both clocks forward, and runs no timers. */
  advance(ms: number): void {
    this.#monotonicMs += ms
    this.#wallMs += ms
  }

  /** Fires the timeouts of all pending calls. */
  timeOut(): void {
    this.advance(this.#callMs)
    for (const run of [...this.#calls]) run()
  }
}
