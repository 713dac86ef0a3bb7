import TinyQueue from 'tinyqueue'

/** With fewer deadlines in memory, obsolete ones are not removed. A deadline takes at most 200 bytes. */
const DEADLINES_SWEPT_MIN = 32_768

export type DeadlineKind =
  /** The time to live of a message ends. */
  | 'expire'
  /** The time of a scheduled message has come. */
  | 'due'
  /** A failed message may be tried again. */
  | 'retry'
  /** The lease of an offer ends. */
  | 'lease'
  /** The outcome of a message counts as unknown from now on. */
  | 'unknown'
  /** A disconnected phone counts as offline from now on. */
  | 'offline'
  /** A phone that said hello must have reported its journal by now. */
  | 'sync'
  /** A phone should have reported about its texts by now. */
  | 'reports'
  /** The pace of a phone allows its next offer. */
  | 'pace'
  /** The caps of a phone are looked at. */
  | 'cap'
  /** A phone that was woken should have fetched its messages by now. */
  | 'wake'
  /** It is looked at whether a group of phones can send. */
  | 'group'
  /** An incident is looked at: a step, the end of a round, or a text that failed. */
  | 'incident'
  /** A person is rung about an incident. */
  | 'call'
  /** The rings about an incident stop. */
  | 'hang-up'
  /** A ring has ended, or must have ended by now. */
  | 'ring'
  /** The next step of a simulated message. */
  | 'sandbox'
  /** A one-time code expires. */
  | 'code'
  /** A half-hour has ended, and what the phones did in it is recorded. */
  | 'history'
  /** Retention runs again. */
  | 'retention'
  /** Too many wrong pairing codes were tried: end all open codes. */
  | 'void-pairings'
  /** A webhook may send the summary of its refused alerts. */
  | 'overflow'
  /** The alerts that a webhook gathered are told. */
  | 'storm'
  /** A drill is looked at. */
  | 'drill'
  /** A phone's plan of drills is looked at. */
  | 'drill-plan'
  /** A webhook has heard nothing for as long as its owner allows. */
  | 'silence'

/** Of these kinds a subject has one deadline at a time, the earliest. Its handler adds the next one. */
const SINGLE: ReadonlySet<DeadlineKind> = new Set(['incident', 'silence', 'storm', 'drill', 'drill-plan'])

/** A time at which something must happen. The handler first checks that the deadline still matters. */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly kind: DeadlineKind
  /**
   * The id of a message, a device, a group of phones, a webhook, an incident, a drill or a ring. Empty for
   * `retention` and `void-pairings`; for `history` the last device that is recorded, or empty.
   */
  readonly id: string
}

/** A message that is its own deadline, because each waiting message has one. */
interface Expiring {
  readonly id: string
  readonly expiresAtMono: number
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
  /** The deadline of each subject of `SINGLE`, by kind and id. */
  readonly #single = new Map<string, number>()

  constructor(sweptMin = DEADLINES_SWEPT_MIN) {
    this.#sweptMin = sweptMin
    this.#sweptAt = sweptMin
  }

  /** The time of the earliest deadline; null: there is none. */
  get nextAt(): number | null {
    const head = this.#heap.peek()
    return head === undefined ? null : timeOf(head)
  }

  get length(): number {
    return this.#heap.length
  }

  add(at: number, kind: DeadlineKind, id: string): void {
    if (SINGLE.has(kind)) {
      const key = `${kind} ${id}`
      if ((this.#single.get(key) ?? Number.POSITIVE_INFINITY) <= at) return
      this.#single.set(key, at)
    }
    this.#heap.push({ at, kind, id })
  }

  /** Adds the end of a message's time to live. The message must not change that time later. */
  addExpiry(message: Expiring): void {
    this.#heap.push(message)
  }

  /** Removes and returns due deadlines, at most `most`. */
  takeDue(monoMs: number, most: number): Deadline[] {
    const due: Deadline[] = []
    for (let head = this.#heap.peek(); head !== undefined && due.length < most; head = this.#heap.peek()) {
      if (timeOf(head) > monoMs) break
      this.#heap.pop()
      const deadline = deadlineOf(head)
      if (this.#isCurrent(deadline)) due.push(deadline)
    }
    return due
  }

  /** False: the subject has got an earlier deadline since. */
  #isCurrent({ at, kind, id }: Deadline): boolean {
    if (!SINGLE.has(kind)) return true
    const key = `${kind} ${id}`
    return this.#single.get(key) === at && this.#single.delete(key)
  }

  /**
   * Removes obsolete deadlines if there are at least `sweptMin` deadlines, and twice as many as after the
   * last sweep.
   */
  sweep(matters: (deadline: Deadline) => boolean): void {
    if (this.#heap.length < this.#sweptAt) return
    this.#heap = heapOf(this.#heap.data.filter(entry => matters(deadlineOf(entry))))
    this.#sweptAt = Math.max(this.#sweptMin, 2 * this.#heap.length)
  }
}

function heapOf(entries: (Deadline | Expiring)[]): TinyQueue<Deadline | Expiring> {
  return new TinyQueue(entries, (a, b) => timeOf(a) - timeOf(b))
}

function timeOf(entry: Deadline | Expiring): number {
  return 'at' in entry ? entry.at : entry.expiresAtMono
}

function deadlineOf(entry: Deadline | Expiring): Deadline {
  return 'at' in entry ? entry : { at: entry.expiresAtMono, kind: 'expire', id: entry.id }
}
