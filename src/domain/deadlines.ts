import TinyQueue from 'tinyqueue'
import { DEADLINES_SWEPT_MIN } from '#contracts/bounds.ts'

/**
 * A deadline. Its handler checks whether it still matters.
 */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly kind:
    | 'expire'
    | 'retry'
    | 'lease'
    | 'unknown'
    | 'offline'
    | 'pump'
    | 'wake'
    | 'sandbox'
    | 'code'
    | 'tidy'
    | 'void-pairings'
    | 'overflow'
  /** Of a message, a device or a webhook; empty for `tidy` and `void-pairings`. */
  readonly id: string
}

/**
 * All deadlines, earliest first. A finished message leaves its deadlines behind, hours of them under load, so
 * these are removed whenever they may be the majority.
 */
export class Deadlines {
  #heap = heapOf([])
  #sweptAt: number
  readonly #sweptMin: number

  constructor(sweptMin = DEADLINES_SWEPT_MIN) {
    this.#sweptMin = sweptMin
    this.#sweptAt = sweptMin
  }

  get nextAt(): number | null {
    return this.#heap.peek()?.at ?? null
  }

  get length(): number {
    return this.#heap.length
  }

  add(at: number, kind: Deadline['kind'], id: string): void {
    this.#heap.push({ at, kind, id })
  }

  /** Removes and returns at most `most` that are due. */
  takeDue(monoMs: number, most: number): Deadline[] {
    const due: Deadline[] = []
    for (let head = this.#heap.peek(); head !== undefined && head.at <= monoMs; head = this.#heap.peek()) {
      if (due.length === most) break
      due.push(head)
      this.#heap.pop()
    }
    return due
  }

  /** Removes obsolete deadlines; does nothing while there are few, or few more than last time. */
  sweep(matters: (deadline: Deadline) => boolean): void {
    if (this.#heap.length < this.#sweptAt) return
    this.#heap = heapOf(this.#heap.data.filter(matters))
    this.#sweptAt = Math.max(this.#sweptMin, 2 * this.#heap.length)
  }
}

function heapOf(deadlines: Deadline[]): TinyQueue<Deadline> {
  return new TinyQueue(deadlines, (a, b) => a.at - b.at)
}
