/**
 * When to check which lane. A check costs the writer a query, so idle lanes must cost none, however many
 * there are. A lane may be checked too early, but never too late. Missing entries are read from the rows
 * (`load`), and entries that may be wrong are dropped. Above the bound, the lanes due last stay in the
 * database until then.
 */
import TinyQueue from 'tinyqueue'
import { NOTIFICATION_LANES_KNOWN_MAX } from '#contracts/notification-bounds.ts'

export interface LaneDue {
  readonly lane: string
  /** Wall clock. */
  readonly at: number
}

export class LaneAgenda {
  /** In round-robin order. */
  readonly #ready = new Set<string>()
  readonly #later = new Map<string, number>()
  #heap = new TinyQueue<LaneDue>([], (a, b) => a.at - b.at)
  /** From this time on, lanes that are not in memory may be due. */
  #knownUntil = Number.NEGATIVE_INFINITY
  readonly #knownMax: number

  constructor(knownMax = NOTIFICATION_LANES_KNOWN_MAX) {
    this.#knownMax = knownMax
  }

  /** The lane may have a delivery now. */
  ready(lane: string): void {
    if (this.#knownUntil === Number.NEGATIVE_INFINITY) return
    this.#ready.add(lane)
    this.#bound()
  }

  /** The lane will have a delivery at that time. */
  later(lane: string, at: number): void {
    const known = this.#later.get(lane) ?? this.#knownUntil
    if (at >= known) return
    this.#later.set(lane, at)
    this.#heap.push({ lane, at })
    this.#bound()
  }

  /** Removes and returns the next lane. */
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

  /** Up to twice the bound, so that many new lanes cause a reload only rarely. */
  #bound(): void {
    const known = this.#ready.size + this.#heap.length
    if (known > 2 * this.#knownMax) this.forget()
  }
}
