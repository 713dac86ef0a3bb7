/**
 * Decides which delivery may start next. A delivery needs a slot. Both the slots and the waiting deliveries
 * are limited, in total and for each origin (scheme, host and port of the receiver).
 *
 * An origin whose last delivery hung is *slow* until a delivery to it does not hang. A slow origin gets one
 * slot, and all slow origins together get at most half of the slots and half of the queue, so that hanging
 * receivers cannot block the others.
 */
export interface SlotBounds {
  readonly slots: number
  readonly slotsPerOrigin: number
  readonly waiting: number
  readonly waitingPerOrigin: number
  /** How many slow origins are remembered. */
  readonly slowRemembered: number
}

/** `overloaded`: the queue is full. `stopped`: `stop` was called, before or while the delivery waited. */
export type SlotAnswer = 'granted' | 'overloaded' | 'stopped'

interface Waiter {
  readonly origin: string
  readonly answer: (answer: SlotAnswer) => void
}

export class DeliverySlots {
  readonly #bounds: SlotBounds
  /** Slots that each origin holds. */
  readonly #taken = new Map<string, number>()
  /** The one that hung longest ago comes first. */
  readonly #slow = new Set<string>()
  #waiting: Waiter[] = []
  #stopped = false

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds
  }

  /** Resolves when the caller gets a slot, or at once if the queue is full; never rejects. */
  acquire(origin: string): Promise<SlotAnswer> {
    if (this.#stopped) return Promise.resolve('stopped')
    if (this.#isFree(origin)) {
      this.#addTaken(origin, 1)
      return Promise.resolve('granted')
    }
    if (!this.#mayWait(origin)) return Promise.resolve('overloaded')
    return new Promise(answer => this.#waiting.push({ origin, answer }))
  }

  /** Gives a granted slot back. `hung`: the receiver did not answer in time. */
  release(origin: string, hung: boolean): void {
    this.#addTaken(origin, -1)
    this.#slow.delete(origin)
    if (hung) this.#slow.add(origin)
    const [oldest] = this.#slow
    if (oldest !== undefined && this.#slow.size > this.#bounds.slowRemembered) this.#slow.delete(oldest)
    this.#grantNext()
  }

  stop(): void {
    this.#stopped = true
    for (const { answer } of this.#waiting.splice(0)) answer('stopped')
  }

  #addTaken(origin: string, count: 1 | -1): void {
    const taken = (this.#taken.get(origin) ?? 0) + count
    if (taken > 0) this.#taken.set(origin, taken)
    else this.#taken.delete(origin)
  }

  #isFree(origin: string): boolean {
    const { slots, slotsPerOrigin } = this.#bounds
    const own = this.#taken.get(origin) ?? 0
    let inAll = 0
    let bySlow = 0
    for (const [other, count] of this.#taken) {
      inAll += count
      if (this.#slow.has(other)) bySlow += count
    }
    if (inAll >= slots) return false
    return this.#slow.has(origin) ? own < 1 && bySlow < slots / 2 : own < slotsPerOrigin
  }

  #mayWait(origin: string): boolean {
    if (this.#waiting.length >= this.#bounds.waiting) return false
    const ofOrigin = this.#waiting.filter(waiter => waiter.origin === origin)
    if (ofOrigin.length >= this.#bounds.waitingPerOrigin) return false
    if (!this.#slow.has(origin)) return true
    const ofSlow = this.#waiting.filter(waiter => this.#slow.has(waiter.origin))
    return ofSlow.length < this.#bounds.waiting / 2
  }

  /**
   * Grants free slots to waiting deliveries. One release can free several, because an origin that is no
   * longer slow may use more than one.
   */
  #grantNext(): void {
    const stillWaiting: Waiter[] = []
    for (const waiter of this.#waiting) {
      if (this.#isFree(waiter.origin)) {
        this.#addTaken(waiter.origin, 1)
        waiter.answer('granted')
      } else stillWaiting.push(waiter)
    }
    this.#waiting = stillWaiting
  }
}
