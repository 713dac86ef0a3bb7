/**
 * When to look at which lane: a look costs the writer a query, so lanes with nothing to send must cost none,
 * however many there are. A lane may be looked at in vain, but never too late. What is known here is read
 * from the rows when it is missing (`load`) and thrown away whenever it may be wrong; of more lanes than the
 * bound, those that are due last stay in the database until then.
 */
import TinyQueue from 'tinyqueue'
import { NOTIFICATION_LANES_KNOWN_MAX } from '#contracts/notification-bounds.ts'

export interface LaneDue {
  readonly lane: string
  /** Wall clock. */
  readonly at: number
}

export class LaneAgenda {
  /** In the order of their turns. */
  readonly #ready = new Set<string>()
  readonly #later = new Map<string, number>()
  #heap = new TinyQueue<LaneDue>([], (a, b) => a.at - b.at)
  /** From this time on, lanes that are not in memory may be due. */
  #knownUntil = Number.NEGATIVE_INFINITY
  readonly #knownMax: number

  constructor(knownMax = NOTIFICATION_LANES_KNOWN_MAX) {
    this.#knownMax = knownMax
  }

  /** Something may be there for this lane now. */
  ready(lane: string): void {
    if (this.#knownUntil === Number.NEGATIVE_INFINITY) return
    this.#ready.add(lane)
    this.#bound()
  }

  /** Something will be there for this lane at that time. */
  later(lane: string, at: number): void {
    const known = this.#later.get(lane) ?? this.#knownUntil
    if (at >= known) return
    this.#later.set(lane, at)
    this.#heap.push({ lane, at })
    this.#bound()
  }

  /** Takes out the lane whose turn it is. */
  next(now: number): string | undefined {
    for (let head = this.#heap.peek(); head !== undefined && head.at <= now; head = this.#heap.peek()) {
      this.#heap.pop()
      if (this.#later.get(head.lane) !== head.at) continue
      this.#later.delete(head.lane)
      this.#ready.add(head.lane)
    }
    for (const lane of this.#ready) {
      this.#ready.delete(lane)
      return lane
    }
    return undefined
  }

  /** Whether a lane that is not in memory may be due. */
  isShort(now: number): boolean {
    return this.#knownUntil <= now
  }

  /** The next time to look for work when nothing is ready; null: never. */
  get nextAt(): number | null {
    const at = Math.min(this.#heap.peek()?.at ?? Number.POSITIVE_INFINITY, this.#knownUntil)
    return at === Number.POSITIVE_INFINITY ? null : at
  }

  get hasReady(): boolean {
    return this.#ready.size > 0
  }

  /**
   * Starts over with these lanes, the first due first; one more than the bound means that there are others.
   */
  load(first: readonly LaneDue[]): void {
    this.forget()
    this.#knownUntil = first[this.#knownMax]?.at ?? Number.POSITIVE_INFINITY
    for (const { lane, at } of first.slice(0, this.#knownMax)) {
      this.#later.set(lane, at)
      this.#heap.push({ lane, at })
    }
  }

  forget(): void {
    this.#ready.clear()
    this.#later.clear()
    this.#heap = new TinyQueue<LaneDue>([], (a, b) => a.at - b.at)
    this.#knownUntil = Number.NEGATIVE_INFINITY
  }

  /** Twice the bound, so that many new lanes are read again only once in a while. */
  #bound(): void {
    const known = this.#ready.size + this.#heap.length
    if (known > 2 * this.#knownMax) this.forget()
  }
}
