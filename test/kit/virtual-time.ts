/**
 * Virtual time for several processes: each has a clock of its own speed, may be paused, and may be killed.
 * Events run one after the other, and everything that follows from one runs before the next.
 */
import type { Random } from '#test/kit/random.ts'

interface Event {
  readonly atMs: number
  readonly order: number
  readonly process: Process | null
  readonly life: number
  readonly run: () => void
}

export class Process {
  readonly #time: VirtualTime
  /** How fast its clock runs. */
  readonly #speed: number
  readonly #offsetMs: number
  pausedUntilMs = 0
  /** Counts its lives: events of an earlier life are dropped. */
  life = 0

  constructor(time: VirtualTime, dice: Random) {
    this.#time = time
    this.#speed = 1 + (dice.below(101) - 50) / 1_000
    this.#offsetMs = dice.below(1_000_000)
  }

  readonly monoNs = (): bigint => BigInt(Math.round((this.#time.nowMs * this.#speed + this.#offsetMs) * 1e6))

  /** Waits for a time of its clock. */
  readonly pause = (ms: number): Promise<void> =>
    new Promise(resolve => this.#time.after(ms / this.#speed, resolve, this))

  kill(): void {
    this.life += 1
    this.pausedUntilMs = 0
  }
}

export class VirtualTime {
  nowMs = 0
  #events: Event[] = []
  #order = 0

  /** Runs this after a time, in a process if one is given. */
  after(ms: number, run: () => void, process: Process | null = null): void {
    this.#push({ atMs: this.nowMs + ms, order: this.#order++, process, life: process?.life ?? 0, run })
  }

  /** Runs all events up to this time. */
  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      const next = this.#events[0]
      if (next === undefined || next.atMs > endMs) break
      this.#pop()
      this.nowMs = next.atMs
      const { process } = next
      if (process !== null && process.life !== next.life) continue
      if (process !== null && process.pausedUntilMs > this.nowMs) {
        this.#push({ ...next, atMs: process.pausedUntilMs })
        continue
      }
      next.run()
      await new Promise(resolve => setImmediate(resolve))
    }
    this.nowMs = endMs
  }

  /** A heap by time and order. */
  #push(event: Event): void {
    const heap = this.#events
    let at = heap.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent])) break
      heap[at] = heap[parent] as Event
      at = parent
    }
    heap[at] = event
  }

  #pop(): void {
    const heap = this.#events
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child])) child += 1
      if (child >= heap.length || !isBefore(heap[child] as Event, last)) break
      heap[at] = heap[child] as Event
      at = child
    }
    heap[at] = last
  }
}

function isBefore(one: Event, other: Event | undefined): boolean {
  if (other === undefined) return true
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}
