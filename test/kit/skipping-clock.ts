import type { Clock } from '#agent/clock.ts'

/**
 * A clock for programs that call others over real connections: whoever waits is woken at the next turn of the
 * event loop, and time has passed. Only waits of one length, the time-out of a call, last as long as the test
 * says: by themselves they never end.
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
      this.pass(delayMs)
      run()
    })
    return () => clearImmediate(immediate)
  }

  pass(ms: number): void {
    this.#monotonicMs += ms
    this.#wallMs += ms
  }

  /** The calls that are under way have taken too long. */
  timeOut(): void {
    this.pass(this.#callMs)
    for (const run of [...this.#calls]) run()
  }
}
