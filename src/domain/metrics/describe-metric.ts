import type { Metric, MetricValue } from '#contracts/metrics.ts'
import type { Histogram } from '#domain/metrics/histogram.ts'

interface Named {
  readonly name: string
  readonly help: string
}

/** The values of a metric with one label. Each pair is a value of the label and the metric's value for it. */
export function byLabel(label: string, values: Iterable<readonly [string, number]>): MetricValue[] {
  return Array.from(values, ([name, value]) => ({ labels: { [label]: name }, value }))
}

/** A sum that only rises; `values` may be one number without labels. */
export function counter(named: Named, values: number | readonly MetricValue[]): Metric {
  return { ...named, type: 'counter', aggregator: 'sum', values: valuesOf(values) }
}

/** A current value; `values` may be one number without labels. */
export function gauge(named: Named, values: number | readonly MetricValue[]): Metric {
  return { ...named, type: 'gauge', aggregator: 'sum', values: valuesOf(values) }
}

export function histogram(
  named: Named,
  series: Iterable<readonly [labels: Readonly<Record<string, string>>, histogram: Histogram]>,
): Metric {
  const values = Array.from(series, ([labels, one]) => one.valuesOf(named.name, labels)).flat()
  return { ...named, type: 'histogram', aggregator: 'sum', values }
}

/** Quantiles, in the label `quantile`. */
export function summary(named: Named, values: readonly MetricValue[]): Metric {
  return { ...named, type: 'summary', aggregator: 'sum', values }
}

function valuesOf(values: number | readonly MetricValue[]): readonly MetricValue[] {
  return typeof values === 'number' ? [{ labels: {}, value: values }] : values
}
