import type { Now } from '#domain/time.ts'

/** A wall clock that departs this far from the monotonic one was set by hand: NTP corrects it by less. */
const WALL_JUMP_MS_MIN = 1000

/**
 * Measures how far the wall clock jumped against the monotonic clock, and reports each jump once, for
 * stores that keep wall-clock times. A restart begins with the current difference between the clocks.
 */
export class WallJumps {
  /** Wall clock minus monotonic clock at the last adjustment of the rows. */
  #settledMs: number
  /** The value of `#settledMs` after the running transaction is committed. */
  #nextMs: number

  constructor({ wallMs, monoMs }: Now) {
    this.#settledMs = wallMs - monoMs
    this.#nextMs = this.#settledMs
  }

  /** Whole milliseconds that the wall clock jumped since the last call; 0 for small adjustments. */
  measure({ wallMs, monoMs }: Now): number {
    const jumpMs = Math.round(wallMs - monoMs - this.#nextMs)
    if (Math.abs(jumpMs) < WALL_JUMP_MS_MIN) return 0
    this.#nextMs += jumpMs
    return jumpMs
  }

  commit(): void {
    this.#settledMs = this.#nextMs
  }

  /** Undoes the running transaction's adjustment after it failed. */
  discard(): void {
    this.#nextMs = this.#settledMs
  }
}
