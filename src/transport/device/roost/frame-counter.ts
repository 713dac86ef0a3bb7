import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'

/** Frames from the phones of one account in a second; with more, the socket is closed. */
export const FRAMES_PER_SECOND_MAX = ACCOUNT_BOUNDS.phoneFrames.most

/** Counts the frames of each account in the current second. */
export class FrameCounter {
  #second = 0
  readonly #counts = new Map<string, number>()

  /** Whether the account may send one more now. `monoMs`: the monotonic time. */
  take(accountId: string, monoMs: number): boolean {
    const second = Math.floor(monoMs / 1000)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    const count = (this.#counts.get(accountId) ?? 0) + 1
    this.#counts.set(accountId, count)
    return count <= FRAMES_PER_SECOND_MAX
  }
}
