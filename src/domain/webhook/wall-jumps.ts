import { WALL_JUMP_MS_MIN } from '#contracts/webhook-bounds.ts'
import type { Now } from '#domain/time.ts'

/**
 * How far the wall clock jumped against the monotonic clock, reported once to the stores that keep wall
 * times. A restart loses the difference and starts from the current one.
 */
export class WallJumps {
  /** Wall minus monotonic clock at the last adjustment of the rows. */
  #settledMs: number
  /** The same once the running transaction is committed. */
  #nextMs: number

  constructor({ wallMs, monoMs }: Now) {
    this.#settledMs = wallMs - monoMs
    this.#nextMs = this.#settledMs
  }

  /** Whole milliseconds of jump since the last report; 0 for small adjustments of the clock. */
  since({ wallMs, monoMs }: Now): number {
    const jumpMs = Math.round(wallMs - monoMs - this.#nextMs)
    if (Math.abs(jumpMs) < WALL_JUMP_MS_MIN) return 0
    this.#nextMs += jumpMs
    return jumpMs
  }

  commit(): void {
    this.#settledMs = this.#nextMs
  }

  /** The rows did not move. */
  discard(): void {
    this.#nextMs = this.#settledMs
  }
}
