/**
 * The pace of one phone: a token bucket of message segments. Above about 30 segments a minute Android
 * silently stops an app, so the gateway stays below that.
 */
export class Pacing {
  #segmentsPerMs: number
  #burst: number
  #tokens: number
  #at: number

  constructor(segmentsPerMinute: number, burst: number, monoMs: number) {
    this.#segmentsPerMs = segmentsPerMinute / 60_000
    this.#burst = burst
    this.#tokens = burst
    this.#at = monoMs
  }

  get segmentsPerMinute(): number {
    return this.#segmentsPerMs * 60_000
  }

  set segmentsPerMinute(value: number) {
    this.#segmentsPerMs = value / 60_000
  }

  /**
   * Takes the segments from the bucket, or returns the monotonic time at which to try again. A message with
   * more segments than the burst makes the bucket negative.
   */
  take(segments: number, monoMs: number): { readonly taken: boolean; readonly readyAt: number } {
    const readyAt = this.readyAt(segments, monoMs)
    if (readyAt > monoMs) return { taken: false, readyAt }
    this.#tokens -= segments
    return { taken: true, readyAt }
  }

  /** The monotonic time at which `take` will succeed for this many segments. `monoMs` itself: now. */
  readyAt(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    const needed = Math.min(segments, this.#burst)
    if (this.#tokens + 1e-9 >= needed) return monoMs
    return monoMs + Math.max(1, Math.ceil((needed - this.#tokens) / this.#segmentsPerMs))
  }

  /** Returns the segments of a message that was not sent. */
  refund(segments: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + segments)
  }

  /** Milliseconds until the phone could have sent this many more segments. */
  expectedWaitMs(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    return Math.max(0, segments - this.#tokens) / this.#segmentsPerMs
  }

  #refill(monoMs: number): void {
    const gained = Math.max(0, monoMs - this.#at) * this.#segmentsPerMs
    this.#tokens = Math.min(this.#burst, this.#tokens + gained)
    this.#at = Math.max(this.#at, monoMs)
  }
}
