import TinyQueue from 'tinyqueue'
import { DEADLINES_SWEPT_MIN } from '#contracts/bounds.ts'

export type DeadlineKind =
  /** The time to live of a message ends. */
  | 'expire'
  /** A failed message may be tried again. */
  | 'retry'
  /** The lease of an offer ends. */
  | 'lease'
  /** The outcome of a message counts as unknown from now on. */
  | 'unknown'
  /** A disconnected phone counts as offline from now on. */
  | 'offline'
  /** The pace of a phone allows its next offer. */
  | 'pace'
  /** A phone that was woken should have fetched its messages by now. */
  | 'wake'
  /** The next step of a simulated message. */
  | 'sandbox'
  /** A one-time code expires. */
  | 'code'
  /** Retention runs again. */
  | 'retention'
  /** Too many wrong pairing codes were tried: end all open codes. */
  | 'void-pairings'
  /** A webhook may send the summary of its refused alerts. */
  | 'overflow'

/** A time at which something must happen. The handler first checks that the deadline still matters. */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly kind: DeadlineKind
  /** The id of a message, a device or a webhook. Empty for `retention` and `void-pairings`. */
  readonly id: string
}

/**
 * All deadlines, earliest first. The deadlines of a finished message stay in the heap. Under load these
 * obsolete deadlines would add up for hours, so `sweep` removes them when they may be the majority.
 */
export class Deadlines {
  #heap = heapOf([])
  /** `sweep` does nothing until there are this many deadlines. */
  #sweptAt: number
  readonly #sweptMin: number

  constructor(sweptMin = DEADLINES_SWEPT_MIN) {
    this.#sweptMin = sweptMin
    this.#sweptAt = sweptMin
  }

  /** The time of the earliest deadline; null: there is none. */
  get nextAt(): number | null {
    return this.#heap.peek()?.at ?? null
  }

  get length(): number {
    return this.#heap.length
  }

  add(at: number, kind: DeadlineKind, id: string): void {
    this.#heap.push({ at, kind, id })
  }

  /** Removes and returns due deadlines, at most `most`. */
  takeDue(monoMs: number, most: number): Deadline[] {
    const due: Deadline[] = []
    for (let head = this.#heap.peek(); head !== undefined && head.at <= monoMs; head = this.#heap.peek()) {
      if (due.length === most) break
      due.push(head)
      this.#heap.pop()
    }
    return due
  }

  /**
   * Removes obsolete deadlines if there are at least `sweptMin` deadlines, and twice as many as after the
   * last sweep.
   */
  sweep(matters: (deadline: Deadline) => boolean): void {
    if (this.#heap.length < this.#sweptAt) return
    this.#heap = heapOf(this.#heap.data.filter(matters))
    this.#sweptAt = Math.max(this.#sweptMin, 2 * this.#heap.length)
  }
}

function heapOf(deadlines: Deadline[]): TinyQueue<Deadline> {
  return new TinyQueue(deadlines, (a, b) => a.at - b.at)
}
