/**
 * The pace of one phone: a token bucket of message segments. Above about 30 segments a minute Android
 * silently stops an app, so the gateway stays below that.
 */
const UNITS = 60_000
/** The monotonic clock has fractions of a millisecond, whose sums are not exact. */
const ROUNDING = 1e-4

export class Pacing {
  #segmentsPerMinute: number
  readonly #burst: number
  /** What the bucket holds, in 1/60,000 segments: each millisecond adds as many as a minute adds segments. */
  #units: number
  #at: number

  constructor(segmentsPerMinute: number, burst: number, monoMs: number) {
    this.#segmentsPerMinute = segmentsPerMinute
    this.#burst = burst * UNITS
    this.#units = this.#burst
    this.#at = monoMs
  }

  get segmentsPerMinute(): number {
    return this.#segmentsPerMinute
  }

  /** Changes the pace from this monotonic time on. */
  changePace(segmentsPerMinute: number, monoMs: number): void {
    this.#refill(monoMs)
    this.#segmentsPerMinute = segmentsPerMinute
  }

  /**
   * Takes the segments from the bucket, or returns the monotonic time at which to try again. A message with
   * more segments than the burst makes the bucket negative.
   */
  take(segments: number, monoMs: number): { readonly taken: boolean; readonly readyAt: number } {
    const readyAt = this.readyAt(segments, monoMs)
    if (readyAt > monoMs) return { taken: false, readyAt }
    this.#units -= segments * UNITS
    return { taken: true, readyAt }
  }

  /** The monotonic time at which `take` will succeed for this many segments. `monoMs` itself: now. */
  readyAt(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    const needed = Math.min(segments * UNITS, this.#burst)
    if (this.#units + ROUNDING >= needed) return monoMs
    return monoMs + Math.max(1, Math.ceil((needed - this.#units) / this.#segmentsPerMinute))
  }

  /** Returns the segments of a message that was not sent. */
  refund(segments: number): void {
    this.#units = Math.min(this.#burst, this.#units + segments * UNITS)
  }

  /** Milliseconds until the phone could have sent this many more segments. */
  expectedWaitMs(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    return Math.max(0, segments * UNITS - this.#units) / this.#segmentsPerMinute
  }

  #refill(monoMs: number): void {
    const gained = Math.max(0, monoMs - this.#at) * this.#segmentsPerMinute
    this.#units = Math.min(this.#burst, this.#units + gained)
    this.#at = Math.max(this.#at, monoMs)
  }
}
