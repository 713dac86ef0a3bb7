/** Makes the text of `GET /metrics` on the main thread from the metrics of all threads. */
import { metricsOf } from '#app/cluster/cluster-metrics.ts'
import { type ThreadWatch, watchThread } from '#app/metrics/watch-thread.ts'
import type { ClusterState } from '#contracts/cluster.ts'
import type { Metric } from '#contracts/metrics.ts'
import { VERSION } from '#contracts/version.ts'
import { counter, gauge } from '#domain/metrics/describe-metric.ts'

export interface MetricSources {
  readonly pool: { readonly waiting: number; readonly threadsAlive: number }
  readonly writer: { metrics(): Promise<readonly Metric[] | null> }
  readonly backups: { metrics(): readonly Metric[] }
  /** Null: the gateway is in no cluster. */
  readonly cluster?: { state(): ClusterState } | null
  /** Returns one answer for each listener; null: it did not answer in time. */
  readonly listeners: () => { metrics(): Promise<readonly (readonly Metric[] | null)[]> }
}

export class MetricsCollector {
  readonly #sources: MetricSources
  readonly #watch: ThreadWatch
  #running: Promise<string> | null = null

  constructor(sources: MetricSources) {
    this.#sources = sources
    this.#watch = watchThread('main')
  }

  /** Calls during a collection get the result of that collection. */
  collect(): Promise<string> {
    this.#running ??= this.#collect().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  stop(): void {
    this.#watch.stop()
  }

  async #collect(): Promise<string> {
    const { writer, listeners, pool, backups, cluster } = this.#sources
    const [ofWriter, ofListeners] = await Promise.all([writer.metrics(), listeners().metrics()])
    const answers = [ofWriter, ...ofListeners]
    const silent = answers.filter(answer => answer === null).length
    const own = [
      ...processMetrics(),
      ...this.#watch.read(),
      ...backups.metrics(),
      gauge({ name: 'roost_threads_silent', help: 'Threads missing in this answer.' }, silent),
      gauge({ name: 'roost_pool_tasks_waiting', help: 'Tasks that wait for the pool.' }, pool.waiting),
      gauge({ name: 'roost_pool_threads', help: 'Threads of the pool.' }, pool.threadsAlive),
    ]
    // The library is loaded here, because most gateways never serve metrics.
    const { aggregateMetrics } = await import('#app/metrics/aggregate-metrics.ts')
    const text = await aggregateMetrics([own, ...answers.filter(answer => answer !== null)])
    return cluster == null ? text : `${text}\n${metricsOf(cluster.state())}`
  }
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage()
  const startedAt = (Date.now() - process.uptime() * 1000) / 1000
  return [
    gauge({ name: 'roost_build_info', help: 'The version that runs.' }, [
      { labels: { version: VERSION }, value: 1 },
    ]),
    gauge(
      { name: 'process_resident_memory_bytes', help: 'Memory of the process.' },
      process.memoryUsage.rss(),
    ),
    counter({ name: 'process_cpu_seconds_total', help: 'Processor time.' }, (user + system) / 1e6),
    gauge({ name: 'process_start_time_seconds', help: 'When the process began.' }, Math.round(startedAt)),
  ]
}
