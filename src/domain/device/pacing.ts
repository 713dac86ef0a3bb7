/**
 * The bucket counts in 1/60,000 segments, because a minute has 60,000 ms: at a pace of N segments a minute,
 * each millisecond adds exactly N units.
 */
const UNITS_PER_SEGMENT = 60_000
/** Tolerance of comparisons: the clock has fractions of a millisecond, whose sums are not exact. */
const ROUNDING_UNITS = 1e-4

/**
 * The pace of one phone: a token bucket of message segments. Above about 30 segments a minute Android
 * silently stops an app, so the gateway stays below that.
 */
export class Pacing {
  #segmentsPerMinute: number
  readonly #burstUnits: number
  /** What the bucket held at `#atMono`. Negative after a message with more segments than the burst. */
  #units: number
  #atMono: number

  constructor(segmentsPerMinute: number, burst: number, monoMs: number) {
    this.#segmentsPerMinute = segmentsPerMinute
    this.#burstUnits = burst * UNITS_PER_SEGMENT
    this.#units = this.#burstUnits
    this.#atMono = monoMs
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
   * more segments than the burst needs a full bucket, and leaves it negative.
   */
  take(segments: number, monoMs: number): { readonly taken: boolean; readonly readyAt: number } {
    const readyAt = this.readyAt(segments, monoMs)
    if (readyAt > monoMs) return { taken: false, readyAt }
    this.#units -= segments * UNITS_PER_SEGMENT
    return { taken: true, readyAt }
  }

  /** The monotonic time at which `take` will succeed for this many segments. `monoMs` itself: now. */
  readyAt(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    const needed = Math.min(segments * UNITS_PER_SEGMENT, this.#burstUnits)
    if (this.#units + ROUNDING_UNITS >= needed) return monoMs
    return monoMs + Math.max(1, Math.ceil((needed - this.#units) / this.#segmentsPerMinute))
  }

  /** Returns the segments of a message that was not sent. */
  refund(segments: number): void {
    this.#units = Math.min(this.#burstUnits, this.#units + segments * UNITS_PER_SEGMENT)
  }

  /** Milliseconds until the phone could have sent this many more segments. */
  expectedWaitMs(segments: number, monoMs: number): number {
    this.#refill(monoMs)
    return Math.max(0, segments * UNITS_PER_SEGMENT - this.#units) / this.#segmentsPerMinute
  }

  #refill(monoMs: number): void {
    const gained = Math.max(0, monoMs - this.#atMono) * this.#segmentsPerMinute
    this.#units = Math.min(this.#burstUnits, this.#units + gained)
    this.#atMono = Math.max(this.#atMono, monoMs)
  }
}
