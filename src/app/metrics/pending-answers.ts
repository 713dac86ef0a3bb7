import { METRICS_MS_MAX } from '#contracts/bounds.ts'

/** Questions to another thread that are not answered yet, by number; each waits a bounded time. */
export class PendingAnswers<T> {
  readonly #waiting = new Map<number, (answer: T | null) => void>()
  readonly #waitMsMax: number
  #last = 0

  constructor(waitMsMax = METRICS_MS_MAX) {
    this.#waitMsMax = waitMsMax
  }

  /** Null: no answer in time. */
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

  /** The answer to a question; dropped when its deadline has passed. */
  settle(id: number, answer: T | null): void {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    settle?.(answer)
  }

  /** No more answers will come. */
  end(): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, null)
  }
}
