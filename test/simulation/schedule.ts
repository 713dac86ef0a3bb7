import TinyQueue from 'tinyqueue'

interface Event {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Future events by simulated milliseconds. Events at the same time run in the order they were planned. */
export class Schedule {
  now = 0
  readonly #events = new TinyQueue<Event>([], (a, b) => a.at - b.at || a.order - b.order)
  #planned = 0

  get nextAt(): number {
    return this.#events.peek()?.at ?? Number.POSITIVE_INFINITY
  }

  after(ms: number, run: () => void): void {
    this.#events.push({ at: Math.ceil(this.now + ms), order: this.#planned++, run })
  }

  /** Moves the time to the next event and runs it. */
  runNext(): void {
    const event = this.#events.pop()
    if (event === undefined) return
    this.now = event.at
    event.run()
  }
}
