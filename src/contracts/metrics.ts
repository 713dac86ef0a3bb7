/**
 * Metrics as threads send them to the main thread: the JSON form of a prom-client registry. No label may
 * identify a person.
 */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** In a histogram, the name of the series: with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
}

export interface Metric {
  /** Ends with the unit, as Prometheus recommends. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** How values of the same labels from several threads are combined. */
  readonly aggregator: 'sum'
  readonly values: readonly MetricValue[]
}
