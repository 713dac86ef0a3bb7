import { WALL_JUMP_MS_MIN } from '#contracts/webhook-bounds.ts'
import type { Now } from '#domain/time.ts'

/**
 * How far the wall clock jumped against the monotonic one, told once to the stores that keep rows in wall
 * time. A restart forgets where the clocks stood, and starts from where they stand then.
 */
export class WallJumps {
  /** Wall minus monotonic clock, as the rows have it. */
  #settledMs: number
  /** The same once the running transaction is committed. */
  #nextMs: number

  constructor({ wallMs, monoMs }: Now) {
    this.#settledMs = wallMs - monoMs
    this.#nextMs = this.#settledMs
  }

  /** Whole milliseconds since the last jump that was told; 0 for a clock that is only being trimmed. */
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
