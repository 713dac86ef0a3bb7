import { Problem } from '#domain/problem.ts'

export interface TaskQueueBounds {
  /** Plural name of the tasks for the refusal, such as `alerts`. */
  readonly what: string
  readonly runningMax: number
  readonly waitingMax: number
}

/** Runs a limited number of tasks at a time, in their order; the queue is bounded. */
export class TaskQueue {
  readonly #bounds: TaskQueueBounds
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(bounds: TaskQueueBounds) {
    this.#bounds = bounds
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** @throws Problem SERVICE_UNAVAILABLE when the queue is full, or the error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    const { what, runningMax, waitingMax } = this.#bounds
    if (this.#running < runningMax) {
      this.#running += 1
      return
    }
    if (this.#queue.length >= waitingMax) throw tooManyWait(what)
    await new Promise<void>(resolve => this.#queue.push(resolve))
  }

  /** Lets the next waiting task run in place of the one that has ended. */
  #leave(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}

/** The refusal of a task when its queue is full. `what`: plural name of the tasks. */
export function tooManyWait(what: string): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `too many ${what} are waiting: try again in 5 s`, {
    retryAfterS: 5,
  })
}
