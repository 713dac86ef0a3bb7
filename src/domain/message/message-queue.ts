import TinyQueue from 'tinyqueue'
import { type Message, rankOf } from '#domain/message/message.ts'

export interface Go {
  readonly attempt: number
  /** Monotonic. */
  readonly at: number
}

const NO_GOES: readonly Go[] = []

/** A message that is not final, as the queues hold it in memory; the row has the rest. */
export interface OpenMessage {
  readonly id: string
  readonly accountId: string
  readonly rank: 0 | 1 | 2
  readonly segments: number
  readonly pinned: boolean
  readonly country: string | null
  readonly phoneNumber: string
  /** On the monotonic clock. */
  readonly acceptedAtMono: number
  readonly expiresAtMono: number
  deviceId: string | null
  attempt: number
  /** When this process told a phone to send it, for the retry brake. */
  goes: readonly Go[]
  /** Where it is now; only a `waiting` message is in a queue. */
  place: 'waiting' | 'offered' | 'sending' | 'resting' | 'gone'
}

/** The fields of a message that a queue needs. */
export type Queueable = Pick<
  Message,
  | 'id'
  | 'accountId'
  | 'kind'
  | 'priority'
  | 'segments'
  | 'pinned'
  | 'country'
  | 'phoneNumber'
  | 'deviceId'
  | 'attempt'
  | 'createdAt'
  | 'expiresAt'
>

/** A message from its row; it is in no queue yet. */
export function openMessageOf(message: Queueable, expiresAtMono: number): OpenMessage {
  const { id, accountId, segments, pinned, country, phoneNumber, deviceId, attempt } = message
  const kept = { id, accountId, segments, pinned, country, phoneNumber, deviceId, attempt }
  const acceptedAtMono = expiresAtMono - (message.expiresAt - message.createdAt)
  return { ...kept, rank: rankOf(message), acceptedAtMono, expiresAtMono, goes: NO_GOES, place: 'resting' }
}

/** By rank, then first in, first out: ids sort by time. */
function before(a: OpenMessage, b: OpenMessage): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/**
 * Waiting messages, in sending order. Removal is lazy: a message that was cancelled, expired or moved has
 * another `place` or queue, and is dropped when it comes first.
 */
export class MessageQueue {
  #heap = new TinyQueue<OpenMessage>([], before)
  readonly #members = new Set<OpenMessage>()
  #segments = 0

  get length(): number {
    return this.#members.size
  }

  /** The sum of the segments that wait. */
  get segments(): number {
    return this.#segments
  }

  push(message: OpenMessage): void {
    if (this.#members.has(message)) return
    this.#members.add(message)
    this.#segments += message.segments
    this.#heap.push(message)
  }

  /** The first message, left where it is. */
  first(): OpenMessage | undefined {
    for (;;) {
      const head = this.#heap.peek()
      if (head === undefined || this.#members.has(head)) return head
      this.#heap.pop()
    }
  }

  remove(message: OpenMessage): boolean {
    if (!this.#members.delete(message)) return false
    this.#segments -= message.segments
    if (this.#heap.peek() === message) this.#heap.pop()
    // Half of the heap has left the queue: rebuild it, so that cancelled messages cannot pile up.
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#members.size)
      this.#heap = new TinyQueue([...this.#members], before)
    return true
  }

  /** Empties the queue and returns what was in it, in no order. */
  drain(): OpenMessage[] {
    const all = [...this.#members]
    this.#members.clear()
    this.#segments = 0
    this.#heap = new TinyQueue<OpenMessage>([], before)
    return all
  }
}

/** The one of several heads that is sent first. */
export function firstOf(heads: readonly (OpenMessage | undefined)[]): OpenMessage | undefined {
  let best: OpenMessage | undefined
  for (const head of heads)
    if (head !== undefined && (best === undefined || before(head, best) < 0)) best = head
  return best
}
