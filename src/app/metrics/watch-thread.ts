import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Metric } from '#contracts/metrics.ts'
import { gauge, summary } from '#domain/metrics/describe-metric.ts'

export interface ThreadWatch {
  /** The measurements since the last call of `read`. */
  read(): Metric[]
  stop(): void
}

/**
 * Interval of the measurements of event-loop delay. They wake a thread 50 times a second, which is most of
 * what an idle gateway costs. So they begin with the first call of `read`: without Prometheus there are none.
 */
const RESOLUTION_MS = 20
const DELAY_HELP = 'Delay since the previous scrape; 0 at the first.'
const NS_PER_S = 1e9
const QUANTILES = [50, 99, 100]

/** Measures event loop and heap of the calling thread; `thread` is its label. */
export function watchThread(thread: string): ThreadWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  // Each value of the histogram is the whole time between two measurements, including the interval.
  const seconds = (ns: number) => Math.max(0, ns / NS_PER_S - RESOLUTION_MS / 1000)
  return {
    read() {
      const isEmpty = delay.count === 0
      const values = QUANTILES.map(percent => ({
        labels: { thread, quantile: String(percent / 100) },
        value: isEmpty ? 0 : seconds(percent === 100 ? delay.max : delay.percentile(percent)),
      }))
      delay.reset()
      delay.enable()
      return [
        summary({ name: 'roost_event_loop_delay_seconds', help: DELAY_HELP }, values),
        gauge({ name: 'roost_thread_heap_bytes', help: 'Used heap of a thread.' }, [
          { labels: { thread }, value: getHeapStatistics().used_heap_size },
        ]),
      ]
    },
    stop: () => void delay.disable(),
  }
}
