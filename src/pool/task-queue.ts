import { Problem } from '#domain/problem.ts'

export interface TaskQueueBounds {
  /** Plural name of the tasks for the refusal, such as `large alerts`. */
  readonly what: string
  readonly runningMax: number
  /** Most waiting tasks of all owners together, beside the first one of each. */
  readonly waitingMax: number
  /** Most waiting tasks of one owner. Absent: `waitingMax`. */
  readonly waitingPerOwnerMax?: number
}

/**
 * Runs a limited number of tasks at a time. Owners take turns: however many tasks one owner has waiting, at
 * most one of them starts before the next task of another owner.
 */
export class TaskQueue {
  readonly #bounds: TaskQueueBounds
  /** The waiting tasks of each owner, oldest first. The owner whose turn is next comes first. */
  readonly #queues = new Map<string, (() => void)[]>()
  #running = 0
  #waiting = 0

  constructor(bounds: TaskQueueBounds) {
    this.#bounds = bounds
  }

  get waiting(): number {
    return this.#waiting
  }

  /** @throws Problem SERVICE_UNAVAILABLE when the queue is full, or the error of `work` */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    await this.#enter(owner)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(owner: string): Promise<void> {
    const { what, runningMax, waitingMax, waitingPerOwnerMax = waitingMax } = this.#bounds
    if (this.#running < runningMax) {
      this.#running += 1
      return
    }
    const queue = this.#queues.get(owner) ?? []
    // However much the others wait for, an owner who waits for nothing gets a place.
    const isFull = this.#waiting >= waitingMax && queue.length > 0
    if (isFull || queue.length >= waitingPerOwnerMax)
      throw new Problem('SERVICE_UNAVAILABLE', `too many ${what} are waiting: try again in 5 s`, {
        retryAfterS: 5,
      })
    this.#queues.set(owner, queue)
    this.#waiting += 1
    await new Promise<void>(resolve => queue.push(resolve))
  }

  /** Lets the next waiting task run in place of the one that has ended. */
  #leave(): void {
    const [next] = this.#queues
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [owner, queue] = next
    const start = queue.shift()
    // An owner with more tasks goes to the end of the line. Setting a key again would not move it.
    this.#queues.delete(owner)
    if (queue.length > 0) this.#queues.set(owner, queue)
    this.#waiting -= 1
    start?.()
  }
}
