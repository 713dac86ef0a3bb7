import { Problem } from '#domain/problem.ts'

export interface TaskQueueBounds {
  /** Plural name of the tasks for the refusal, such as `alerts`. */
  readonly what: string
  readonly runningMax: number
  /** Most waiting tasks of each urgency. Normal tasks cannot fill the queue of urgent ones. */
  readonly waitingMax: number
}

/** A more urgent task starts before a less urgent one, however long the other has waited. */
type Urgency = 'urgent' | 'normal' | 'low'

/** Runs a limited number of tasks at a time, urgent ones first; the queue is bounded. */
export class TaskQueue {
  readonly #bounds: TaskQueueBounds
  readonly #queues: Readonly<Record<Urgency, (() => void)[]>> = { urgent: [], normal: [], low: [] }
  #running = 0

  constructor(bounds: TaskQueueBounds) {
    this.#bounds = bounds
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    const { urgent, normal, low } = this.#queues
    return urgent.length + normal.length + low.length
  }

  /** @throws Problem SERVICE_UNAVAILABLE when the queue of this urgency is full, or the error of `work` */
  async run<T>(work: () => Promise<T>, urgency: Urgency = 'normal'): Promise<T> {
    await this.#enter(this.#queues[urgency])
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(queue: (() => void)[]): Promise<void> {
    const { what, runningMax, waitingMax } = this.#bounds
    if (this.#running < runningMax) {
      this.#running += 1
      return
    }
    if (queue.length >= waitingMax) throw tooManyWait(what)
    await new Promise<void>(resolve => queue.push(resolve))
  }

  /** Lets the next waiting task run in place of the one that has ended. */
  #leave(): void {
    const { urgent, normal, low } = this.#queues
    const next = urgent.shift() ?? normal.shift() ?? low.shift()
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
