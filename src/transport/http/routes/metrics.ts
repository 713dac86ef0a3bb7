import * as v from 'valibot'
import { Problem } from '#domain/problem.ts'
import type { Route } from '#transport/http/route.ts'

export interface MetricsPorts {
  /** The metrics of all threads as text; null: the main thread did not answer in time. */
  readonly readMetrics: () => Promise<string | null>
}

/** The text format of Prometheus, version 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The route of the metrics for Prometheus. They contain no personal data. */
export function metricsRoutes({ readMetrics }: MetricsPorts): Route[] {
  // Requests at the same time share one reading, because every thread of the process takes part in it.
  let reading: Promise<string | null> | null = null
  const read = () => {
    reading ??= readMetrics().finally(() => {
      reading = null
    })
    return reading
  }
  return [
    {
      method: 'get',
      path: '/metrics',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getMetrics',
        tag: 'gateway',
        summary: 'Metrics for Prometheus',
        description:
          'Text format of Prometheus, version 0.0.4. Holds numbers about the gateway only, no personal ' +
          'data.',
        response: v.string(),
        bare: 'text/plain',
        problems: [503],
        example: { data: '# TYPE roost_devices gauge\nroost_devices{status="online"} 2\n' },
      },
      handle: async () => {
        const raw = await read()
        if (raw === null)
          throw new Problem('SERVICE_UNAVAILABLE', 'the main thread is busy: try again in 5 s', {
            retryAfterS: 5,
          })
        return { raw, contentType: METRICS_TYPE }
      },
    },
  ]
}
