import TinyQueue from 'tinyqueue'

/**
 * Something that must be looked at when its time has come; whoever handles it checks that it still matters.
 */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly kind: 'expire' | 'retry' | 'lease' | 'unknown' | 'offline' | 'pump' | 'sandbox' | 'code' | 'tidy'
  /** Of a message or of a device; empty for `tidy`. */
  readonly id: string
}

/** All that waits for a time, earliest first. */
export class Deadlines {
  readonly #heap = new TinyQueue<Deadline>([], (a, b) => a.at - b.at)

  get nextAt(): number | null {
    return this.#heap.peek()?.at ?? null
  }

  get length(): number {
    return this.#heap.length
  }

  add(at: number, kind: Deadline['kind'], id: string): void {
    this.#heap.push({ at, kind, id })
  }

  /** Takes out at most `most` that are due. */
  takeDue(monoMs: number, most: number): Deadline[] {
    const due: Deadline[] = []
    for (let head = this.#heap.peek(); head !== undefined && head.at <= monoMs; head = this.#heap.peek()) {
      if (due.length === most) break
      due.push(head)
      this.#heap.pop()
    }
    return due
  }
}
