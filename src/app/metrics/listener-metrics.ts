import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import { watchThread } from '#app/metrics/watch-thread.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { ListenerControl, ListenerNews } from '#contracts/thread-frames.ts'

/** Exchanges metrics with the main thread: it reads this listener's own, and the listener asks for all. */
export class ListenerMetrics {
  readonly #tell: (news: ListenerNews) => void
  readonly #all = new PendingAnswers<string>()
  readonly #watch: ReturnType<typeof watchThread>

  constructor(listener: number, tell: (news: ListenerNews) => void) {
    this.#tell = tell
    this.#watch = watchThread(`listener ${listener}`)
  }

  /** The metrics of all threads as text; null when a thread did not answer in time. */
  readAll(): Promise<string | null> {
    return this.#all.ask(id => this.#tell({ kind: 'all-metrics', id }))
  }

  /** Handles a message about metrics; false: it is about something else. */
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

  /** Stops: no further question is asked or answered. */
  stop(): void {
    this.#watch.stop()
    this.#all.end()
  }
}
