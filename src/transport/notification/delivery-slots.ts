/**
 * Decides which delivery may start next. A delivery needs a slot. Both the slots and the waiting deliveries
 * are limited, in total and for each origin (scheme, host and port of the receiver).
 *
 * An origin whose last delivery hung is *slow* until a delivery to it does not hang. A slow origin gets one
 * slot, and all slow origins together get at most half of the slots and half of the queue, so that hanging
 * receivers cannot block the others. An origin whose last delivery did not hang is *responsive*. Some slots
 * are reserved for responsive origins, because many new origins that hang could take all slots at first.
 */
export interface SlotBounds {
  readonly slots: number
  readonly slotsPerOrigin: number
  readonly waiting: number
  readonly waitingPerOrigin: number
  /** How many slow origins are remembered, and how many responsive ones. */
  readonly originsRemembered: number
  /** Slots that only responsive origins may take. */
  readonly slotsForResponsive: number
}

/** `overloaded`: the queue is full. `stopped`: `stop` was called, before or while the delivery waited. */
export type SlotAnswer = 'granted' | 'overloaded' | 'stopped'

interface Waiter {
  readonly origin: string
  readonly answer: (answer: SlotAnswer) => void
}

export class DeliverySlots {
  readonly #bounds: SlotBounds
  readonly #taken = new Map<string, number>()
  readonly #slow = new Set<string>()
  #waiting: Waiter[] = []
  #takenInAll = 0
  readonly #responsive = new Set<string>()
  #takenBySlow = 0
  #takenByResponsive = 0
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
    this.#setSlow(origin, hung)
    this.#setResponsive(origin, !hung)
    const { originsRemembered } = this.#bounds
    const [oldestSlow] = this.#slow
    if (oldestSlow !== undefined && this.#slow.size > originsRemembered) this.#setSlow(oldestSlow, false)
    const [oldest] = this.#responsive
    if (oldest !== undefined && this.#responsive.size > originsRemembered) this.#setResponsive(oldest, false)
    this.#grantNext()
  }

  stop(): void {
    this.#stopped = true
    for (const { answer } of this.#waiting.splice(0)) answer('stopped')
  }

  #takenBy(origin: string): number {
    return this.#taken.get(origin) ?? 0
  }

  #addTaken(origin: string, count: 1 | -1): void {
    const taken = this.#takenBy(origin) + count
    if (taken > 0) this.#taken.set(origin, taken)
    else this.#taken.delete(origin)
    this.#takenInAll += count
    if (this.#slow.has(origin)) this.#takenBySlow += count
    if (this.#responsive.has(origin)) this.#takenByResponsive += count
  }

  /** Moves an origin that is slow again to the end of the set, so that it is forgotten last. */
  #setSlow(origin: string, slow: boolean): void {
    if (this.#slow.delete(origin)) this.#takenBySlow -= this.#takenBy(origin)
    if (!slow) return
    this.#slow.add(origin)
    this.#takenBySlow += this.#takenBy(origin)
  }

  #setResponsive(origin: string, isResponsive: boolean): void {
    if (this.#responsive.delete(origin)) this.#takenByResponsive -= this.#takenBy(origin)
    if (!isResponsive) return
    this.#responsive.add(origin)
    this.#takenByResponsive += this.#takenBy(origin)
  }

  #isFree(origin: string): boolean {
    const { slots, slotsForResponsive } = this.#bounds
    if (this.#takenInAll >= slots) return false
    const takenByOthers = this.#takenInAll - this.#takenByResponsive
    if (!this.#responsive.has(origin) && takenByOthers >= slots - slotsForResponsive) return false
    if (!this.#slow.has(origin)) return this.#takenBy(origin) < this.#bounds.slotsPerOrigin
    return this.#takenBy(origin) < 1 && this.#takenBySlow < this.#bounds.slots / 2
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
