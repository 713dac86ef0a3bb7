import { Problem } from '#domain/problem.ts'

export interface LaneBounds {
  /** Names what waits here, for the text of the refusal. */
  readonly what: string
  readonly runningMax: number
  /** Of each urgency: urgent ones keep their places however many others wait. */
  readonly waitingMax: number
}

/** More urgent tasks go first, regardless of waiting time. */
type Urgency = 'urgent' | 'normal' | 'low'

/** Runs a limited number of tasks at a time, urgent ones first; the queue is bounded. */
export class Lane {
  readonly #bounds: LaneBounds
  readonly #queues: Readonly<Record<Urgency, (() => void)[]>> = { urgent: [], normal: [], low: [] }
  #running = 0

  constructor(bounds: LaneBounds) {
    this.#bounds = bounds
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    const { urgent, normal, low } = this.#queues
    return urgent.length + normal.length + low.length
  }

  /** @throws Problem SERVICE_UNAVAILABLE when too many wait; else what the work throws */
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
    if (queue.length >= waitingMax)
      throw new Problem('SERVICE_UNAVAILABLE', `too many ${what} wait`, { retryAfterS: 5 })
    await new Promise<void>(resolve => queue.push(resolve))
  }

  /** Hands the place to the next one. */
  #leave(): void {
    const { urgent, normal, low } = this.#queues
    const next = urgent.shift() ?? normal.shift() ?? low.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
