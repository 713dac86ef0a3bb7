/**
 * How long the main thread waits for the metrics of one thread, and a listener for those of all threads:
 * Prometheus waits 10 s.
 */
const METRICS_MS_MAX = 8_000

/** Questions to another thread that have no answer yet, by number. Each waits for a limited time. */
export class PendingAnswers<T> {
  readonly #waiting = new Map<number, (answer: T | null) => void>()
  readonly #waitMsMax: number
  #last = 0

  constructor(waitMsMax = METRICS_MS_MAX) {
    this.#waitMsMax = waitMsMax
  }

  /** `send` gets the number of the question. Resolves with the answer; null: none came in time. */
  ask(send: (id: number) => void): Promise<T | null> {
    const id = ++this.#last
    return new Promise(resolve => {
      const timer = setTimeout(() => this.settle(id, null), this.#waitMsMax)
      this.#waiting.set(id, answer => {
        clearTimeout(timer)
        resolve(answer)
      })
      send(id)
    })
  }

  /** Delivers the answer to a question. An answer that comes too late is dropped. */
  settle(id: number, answer: T | null): void {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    settle?.(answer)
  }

  /** Answers all pending questions with null. */
  end(): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, null)
  }
}
