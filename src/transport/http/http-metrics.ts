/** The metrics of a listener. A request only changes plain numbers. `read` makes metrics from them. */
import type { Metric } from '#contracts/metrics.ts'
import { byLabel, counter, histogram } from '#domain/metrics/describe-metric.ts'
import { Histogram, SECONDS_BOUNDS } from '#domain/metrics/histogram.ts'
import type { BucketKind, RateLimiter } from '#domain/rate-limit/rate-limiter.ts'

/** An exchange that has ended. */
export interface EndedExchange {
  /** The template of the path, never the path itself, which may contain a token. */
  readonly route: string
  /** The request's method in lower case. */
  readonly method: string
  readonly requestId: string
  /** HTTP status; 0: the caller closed the connection before the answer. */
  readonly status: number
  readonly ms: number
}

interface Series {
  readonly route: string
  readonly method: string
  readonly counts: Map<number, number>
  readonly seconds: Histogram
}

/**
 * Methods with a time series of their own. All other methods share one, because clients can invent any number
 * of methods.
 */
const METHODS = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])

export class HttpMetrics {
  readonly #routes = new Map<string, Map<string, Series>>()
  readonly #refused: Record<BucketKind, number> = { account: 0, address: 0 }

  answered({ route, method, status, ms }: EndedExchange): void {
    const series = this.#routes.get(route)?.get(method) ?? this.#open(route, method)
    series.counts.set(status, (series.counts.get(status) ?? 0) + 1)
    series.seconds.observe(ms / 1000)
  }

  /** Wraps the limiter so that its refusals are counted. */
  countingRefusals(limiter: RateLimiter): RateLimiter {
    return {
      peek: (kind, key, limitPerMinute) => limiter.peek(kind, key, limitPerMinute),
      take: (kind, key, limitPerMinute) => {
        const decision = limiter.take(kind, key, limitPerMinute)
        if (!decision.allowed) this.#refused[kind]++
        return decision
      },
    }
  }

  read(): Metric[] {
    const series = [...this.#routes.values()].flatMap(methods => [...methods.values()])
    const requests = series.flatMap(({ route, method, counts }) =>
      Array.from(counts, ([status, value]) => {
        return { labels: { route, method, status: status === 0 ? 'aborted' : String(status) }, value }
      }),
    )
    return [
      counter({ name: 'roost_http_requests_total', help: 'Requests that have ended, by status.' }, requests),
      histogram(
        { name: 'roost_http_request_duration_seconds', help: 'From the head of a request to its answer.' },
        series.map(({ route, method, seconds }) => [{ route, method }, seconds] as const),
      ),
      counter(
        { name: 'roost_limiter_refusals_total', help: 'Calls above the limit of an account or address.' },
        byLabel('bucket', Object.entries(this.#refused)),
      ),
    ]
  }

  #open(route: string, given: string): Series {
    const methods = this.#routes.get(route) ?? new Map<string, Series>()
    this.#routes.set(route, methods)
    const method = METHODS.has(given) ? given : 'other'
    const series = methods.get(method) ?? {
      route,
      method,
      counts: new Map(),
      seconds: new Histogram(SECONDS_BOUNDS),
    }
    methods.set(method, series)
    return series
  }
}
