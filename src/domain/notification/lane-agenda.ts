/**
 * Knows when to check each lane. A check costs the writer a query, so an idle lane must cost none, however
 * many lanes there are. A lane may be checked too early, but never too late. Entries that may be wrong are
 * dropped, and missing entries are read from the rows (`load`). If there are too many lanes, the lanes due
 * last stay only in the database.
 */
import TinyQueue from 'tinyqueue'
import { NOTIFICATION_LANES_KNOWN_MAX } from '#contracts/bounds.ts'

export interface LaneDue {
  readonly lane: string
  /** Wall clock. */
  readonly at: number
}

export class LaneAgenda {
  /** Lanes that may have a due delivery, in round-robin order. */
  readonly #ready = new Set<string>()
  /** When each other lane is due next (wall clock), as in `#heap`. */
  readonly #later = new Map<string, number>()
  #heap = new TinyQueue<LaneDue>([], (a, b) => a.at - b.at)
  /** From this time on, lanes that are not in memory may be due. */
  #knownUntil = Number.NEGATIVE_INFINITY
  readonly #knownMax: number

  constructor(knownMax = NOTIFICATION_LANES_KNOWN_MAX) {
    this.#knownMax = knownMax
  }

  /** Records that the lane may have a due delivery now. */
  addReady(lane: string): void {
    // Nothing is in memory: the next `load` finds the lane.
    if (this.#knownUntil === Number.NEGATIVE_INFINITY) return
    this.#ready.add(lane)
    this.#bound()
  }

  /** Records that the lane will have a due delivery at `at`. */
  addLater(lane: string, at: number): void {
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
    const [lane] = this.#ready
    if (lane !== undefined) this.#ready.delete(lane)
    return lane
  }

  /** Whether the entries must be loaded again, because a lane that is not in memory may be due. */
  mustReload(now: number): boolean {
    return this.#knownUntil <= now
  }

  /** The next time to check for due deliveries, if no lane is ready now. Null: never. */
  get nextAt(): number | null {
    const at = Math.min(this.#heap.peek()?.at ?? Number.POSITIVE_INFINITY, this.#knownUntil)
    return at === Number.POSITIVE_INFINITY ? null : at
  }

  get hasReady(): boolean {
    return this.#ready.size > 0
  }

  /**
   * Replaces all entries by these lanes, sorted by their due time. If there are more lanes than the bound,
   * pass one more than the bound: further lanes must be loaded when this last one is due.
   */
  load(first: readonly LaneDue[]): void {
    this.forget()
    this.#knownUntil = first[this.#knownMax]?.at ?? Number.POSITIVE_INFINITY
    for (const { lane, at } of first.slice(0, this.#knownMax)) {
      this.#later.set(lane, at)
      this.#heap.push({ lane, at })
    }
  }

  /** Drops all entries. They are loaded again at the next exchange with the sender. */
  forget(): void {
    this.#ready.clear()
    this.#later.clear()
    this.#heap = new TinyQueue<LaneDue>([], (a, b) => a.at - b.at)
    this.#knownUntil = Number.NEGATIVE_INFINITY
  }

  /** Lets the entries grow to twice the bound, so that many new lanes rarely cause a reload. */
  #bound(): void {
    const known = this.#ready.size + this.#heap.length
    if (known > 2 * this.#knownMax) this.forget()
  }
}
