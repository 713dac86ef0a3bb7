import type { Clock } from '#agent/clock.ts'

interface Timer {
  readonly dueMs: number
  readonly run: () => void
}

/**
 * A clock that the test moves. Timers without a delay run by themselves at the next turn of the event loop.
 */
export class HandClock implements Clock {
  #monotonicMs = 1_000
  #wallMs = Date.parse('2026-01-31T12:00:00.000Z')
  readonly #timers = new Set<Timer>()

  monotonicMs(): number {
    return this.#monotonicMs
  }

  wallMs(): number {
    return this.#wallMs
  }

  after(delayMs: number, run: () => void): () => void {
    if (delayMs <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    const timer: Timer = { dueMs: this.#monotonicMs + delayMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Milliseconds until the next timer is due; null if no timer is set. */
  get nextInMs(): number | null {
    const dues = [...this.#timers].map(timer => timer.dueMs)
    return dues.length === 0 ? null : Math.min(...dues) - this.#monotonicMs
  }

  /** Moves both clocks forward and runs the timers that become due, in order. */
  advance(ms: number): void {
    const untilMs = this.#monotonicMs + ms
    for (;;) {
      const next = [...this.#timers]
        .filter(timer => timer.dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs)[0]
      if (next === undefined) break
      this.#timers.delete(next)
      this.#moveTo(next.dueMs)
      next.run()
    }
    this.#moveTo(untilMs)
  }

  /** Moves only the wall clock, as after a phone has slept for a night. */
  jumpWall(ms: number): void {
    this.#wallMs += ms
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs
    this.#monotonicMs = monotonicMs
  }
}
