/**
 * Metrics as threads hand them over: the JSON form of a prom-client registry. No label identifies a person.
 */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** Of a histogram: which of its series. */
  readonly metricName?: string
}

export interface Metric {
  /** With the unit last, as Prometheus wants it. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** What becomes of the same labels from several threads. */
  readonly aggregator: 'sum'
  readonly values: readonly MetricValue[]
}
