import { AggregatorRegistry } from 'prom-client'
import type { Metric } from '#contracts/metrics.ts'

/** Adds up the metrics of all threads and writes them in Prometheus' text format. */
export function aggregateMetrics(ofThreads: readonly (readonly Metric[])[]): Promise<string> {
  // The library's types want objects, but its code accepts arrays.
  return AggregatorRegistry.aggregate(ofThreads as unknown as object[]).metrics()
}
