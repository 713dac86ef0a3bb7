import TinyQueue from 'tinyqueue'
import { type Message, rankOf, ttlMsOf } from '#domain/message/message.ts'

/** A permission to send that a phone got. */
export interface Go {
  readonly attempt: number
  /** Monotonic. */
  readonly at: number
}

const NO_GOES: readonly Go[] = []

/** A message that is not final, with the fields that queues need in memory. Its row has all fields. */
export interface OpenMessage {
  readonly id: string
  readonly accountId: string
  /** From `rankOf`: lower goes first. */
  readonly rank: 0 | 1 | 2
  readonly segments: number
  readonly pinned: boolean
  /** The group of phones that may send it; null: it is for no group. */
  readonly groupId: string | null
  readonly country: string | null
  /** On the monotonic clock. Of a scheduled message: when it is due; its time to live begins then. */
  expiresAtMono: number
  /** Its whole time to live. */
  readonly ttlMs: number
  /** Whether its end is that of its row, by the wall clock: it was planned, or accepted by an earlier run. */
  isByRow: boolean
  deviceId: string | null
  attempt: number
  /** Every `go` that this process gave for the message, for the retry brake. */
  goes: readonly Go[]
  /**
   * Only a `waiting` message is in a queue. A `scheduled` one waits for its `sendAt`, a `resting` one for its
   * retry; a `gone` one has ended.
   */
  stage: 'scheduled' | 'waiting' | 'offered' | 'sending' | 'resting' | 'gone'
  /** The queue that it waits in; null: none. Only that queue changes it. */
  queue: MessageQueue | null
  /** The last look at a queue that saw it. */
  look: number
}

/** The fields of a message that a queue needs. */
export const QUEUEABLE_FIELDS = [
  'id',
  'accountId',
  'kind',
  'priority',
  'segments',
  'pinned',
  'deviceGroupId',
  'country',
  'deviceId',
  'attempt',
  'createdAt',
  'sendAt',
  'expiresAt',
] as const satisfies (keyof Message)[]
export type Queueable = Pick<Message, (typeof QUEUEABLE_FIELDS)[number]>

/** Strings that most messages share, each kept once. */
const SHARED = new Map<string, string>()
/** At most about 1 MB. Ids of accounts and phones, and countries, are far fewer. */
const SHARED_MAX = 10_000

/** The first string with these characters that was given. */
function shared(text: string): string
function shared(text: string | null): string | null
function shared(text: string | null): string | null {
  if (text === null) return null
  const known = SHARED.get(text)
  if (known !== undefined) return known
  if (SHARED.size >= SHARED_MAX) SHARED.clear()
  SHARED.set(text, text)
  return text
}

/** A message from its row; it is in no queue yet. */
export function openMessageOf(message: Queueable, expiresAtMono: number): OpenMessage {
  const { id, segments, pinned, attempt } = message
  return {
    id,
    accountId: shared(message.accountId),
    rank: rankOf(message),
    segments,
    pinned,
    groupId: shared(message.deviceGroupId),
    country: shared(message.country),
    expiresAtMono,
    ttlMs: ttlMsOf(message),
    isByRow: false,
    deviceId: shared(message.deviceId),
    attempt,
    goes: NO_GOES,
    stage: 'resting',
    queue: null,
    look: 0,
  }
}

/** Compares by rank, then by age (ids sort by time). Below 0: `a` is sent first. */
function compare(a: OpenMessage, b: OpenMessage): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** Looks at all messages of a queue so far. */
let looks = 0

/**
 * Waiting messages, in sending order. Each message has a reference to its queue. Removal is lazy: a message
 * that was cancelled, expired or moved refers to another queue or none. It stays in its heap and is dropped
 * when it comes first. A set of the queue's messages would make every send slower.
 */
export class MessageQueue {
  /** By the segments of their messages, of which a text has a few dozen at most. */
  readonly #heaps = new Map<number, TinyQueue<OpenMessage>>()
  /** How many messages are in the heaps, with those that left. */
  #stored = 0
  #length = 0
  #segments = 0

  get length(): number {
    return this.#length
  }

  /** The number of segments of all waiting messages. */
  get segments(): number {
    return this.#segments
  }

  push(message: OpenMessage): void {
    if (message.queue === this) return
    message.queue?.remove(message)
    message.queue = this
    this.#length += 1
    this.#segments += message.segments
    this.#store(message)
  }

  /** The first message, without removing it. */
  first(): OpenMessage | undefined {
    return this.firstOfAtMost(Number.POSITIVE_INFINITY)
  }

  /** The first message of at most so many segments. */
  firstOfAtMost(segments: number): OpenMessage | undefined {
    let best: OpenMessage | undefined
    for (const [size, heap] of this.#heaps) {
      const head = size > segments ? undefined : this.#headOf(heap)
      if (head !== undefined && (best === undefined || compare(head, best) < 0)) best = head
    }
    return best
  }

  /** How many messages, and how many segments, the queue sends before this one. It looks at all of them. */
  before(message: OpenMessage): { readonly count: number; readonly segments: number } {
    let count = 0
    let segments = 0
    for (const one of this.#members()) {
      if (compare(one, message) >= 0) continue
      count += 1
      segments += one.segments
    }
    return { count, segments }
  }

  remove(message: OpenMessage): boolean {
    if (message.queue !== this) return false
    message.queue = null
    this.#length -= 1
    this.#segments -= message.segments
    const heap = this.#heaps.get(message.segments)
    if (heap?.peek() === message) this.#drop(heap)
    // Half of the heaps has left the queue: fill them again, so that cancelled messages cannot pile up.
    if (this.#stored > 64 && this.#stored > 2 * this.#length) this.#fill([...this.#members()])
    return true
  }

  /** Empties the queue and returns its messages in any order. */
  drain(): OpenMessage[] {
    const all = [...this.#members()]
    for (const message of all) message.queue = null
    this.#length = 0
    this.#segments = 0
    this.#fill([])
    return all
  }

  #store(message: OpenMessage): void {
    const { segments } = message
    const heap = this.#heaps.get(segments) ?? new TinyQueue<OpenMessage>([], compare)
    this.#heaps.set(segments, heap)
    heap.push(message)
    this.#stored += 1
  }

  #headOf(heap: TinyQueue<OpenMessage>): OpenMessage | undefined {
    for (let head = heap.peek(); head !== undefined; head = heap.peek()) {
      if (head.queue === this) return head
      this.#drop(heap)
    }
    return undefined
  }

  #drop(heap: TinyQueue<OpenMessage>): void {
    heap.pop()
    this.#stored -= 1
  }

  #fill(messages: readonly OpenMessage[]): void {
    this.#heaps.clear()
    this.#stored = 0
    for (const message of messages) this.#store(message)
  }

  /** The messages in the queue, each once: one that left and came back is in its heap twice. */
  *#members(): Generator<OpenMessage> {
    const look = ++looks
    for (const { data } of this.#heaps.values())
      for (const one of data)
        if (one.queue === this && one.look !== look) {
          one.look = look
          yield one
        }
  }
}

/** Of the first messages of several queues, the one to send first. */
export function firstOf(heads: readonly (OpenMessage | undefined)[]): OpenMessage | undefined {
  let best: OpenMessage | undefined
  for (const head of heads)
    if (head !== undefined && (best === undefined || compare(head, best) < 0)) best = head
  return best
}
