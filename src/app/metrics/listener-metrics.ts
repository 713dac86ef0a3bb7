import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import { watchThread } from '#app/metrics/watch-thread.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { ListenerControl, ListenerNews } from '#contracts/thread-frames.ts'

/**
 * A listener's exchange of metrics with the main thread: it reports its own metrics, and asks for the metrics
 * of all threads.
 */
export class ListenerMetrics {
  readonly #tell: (news: ListenerNews) => void
  readonly #all = new PendingAnswers<string>()
  readonly #watch: ReturnType<typeof watchThread>

  constructor(listener: number, tell: (news: ListenerNews) => void) {
    this.#tell = tell
    this.#watch = watchThread(`listener ${listener}`)
  }

  /** The metrics of all threads as text; null when the main thread did not answer in time. */
  readAll(): Promise<string | null> {
    return this.#all.ask(id => this.#tell({ kind: 'all-metrics', id }))
  }

  /** Handles a control message if it is about metrics; false: it is not. */
  take(control: ListenerControl, server: { metrics(): Metric[] }): boolean {
    if (control.kind === 'all-metrics') this.#all.settle(control.id, control.text)
    else if (control.kind === 'metrics')
      this.#tell({
        kind: 'metrics',
        id: control.id,
        metrics: [...server.metrics(), ...this.#watch.read()],
      })
    else return false
    return true
  }

  /** Ends the exchange. Pending calls of `readAll` resolve with null. */
  stop(): void {
    this.#watch.stop()
    this.#all.end()
  }
}
