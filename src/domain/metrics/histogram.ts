import type { MetricValue } from '#contracts/metrics.ts'

/** Bucket bounds in seconds, for HTTP answers and for commits. */
export const SECONDS_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15,
]

/**
 * Counts values by size. `observe` runs in every request, so it must be cheap: it takes at most one
 * comparison for each bucket, and two additions.
 */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  /** @param bounds the upper bounds of the buckets, rising; one more bucket holds all larger values */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    this.#sum += value
  }

  /** The series of a histogram of this name. */
  valuesOf(name: string, labels: Readonly<Record<string, string>>): MetricValue[] {
    let count = 0
    const buckets = Array.from(this.#counts, (own, index): MetricValue => {
      count += own
      const le = index < this.#bounds.length ? String(this.#bounds[index]) : '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}
