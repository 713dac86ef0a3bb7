/**
 * Decides who may send next. Slots are limited in total and for each origin, and so is the queue. An origin
 * whose last delivery hung is slow until one does not. It gets one slot, and all slow origins together at
 * most half of the slots and half of the queue, so that hanging receivers cannot block others. Some slots are
 * reserved for origins whose last delivery did not hang, because many new hanging ones could take all slots
 * at first.
 */
export interface SlotBounds {
  readonly slots: number
  readonly slotsPerOrigin: number
  readonly waiting: number
  readonly waitingPerOrigin: number
  /** Of those that hung, and of those that did not. */
  readonly originsRemembered: number
  readonly slotsForWell: number
}

/** `stopped` also answers those who wait when `stop` is called. */
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
  readonly #well = new Set<string>()
  #takenBySlow = 0
  #takenByWell = 0
  #stopped = false

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds
  }

  /** Resolves when it is the caller's turn, or at once when there is no place to wait; never rejects. */
  acquire(origin: string): Promise<SlotAnswer> {
    if (this.#stopped) return Promise.resolve('stopped')
    if (this.#isFree(origin)) {
      this.#take(origin, 1)
      return Promise.resolve('granted')
    }
    if (!this.#mayWait(origin)) return Promise.resolve('overloaded')
    return new Promise(answer => this.#waiting.push({ origin, answer }))
  }

  /** Gives a granted slot back, and tells whether the delivery hung. */
  release(origin: string, hung: boolean): void {
    this.#take(origin, -1)
    this.#setSlow(origin, hung)
    this.#setWell(origin, !hung)
    const { originsRemembered } = this.#bounds
    const [slowest] = this.#slow
    if (slowest !== undefined && this.#slow.size > originsRemembered) this.#setSlow(slowest, false)
    const [oldest] = this.#well
    if (oldest !== undefined && this.#well.size > originsRemembered) this.#setWell(oldest, false)
    this.#grantNext()
  }

  stop(): void {
    this.#stopped = true
    for (const { answer } of this.#waiting.splice(0)) answer('stopped')
  }

  #takenBy(origin: string): number {
    return this.#taken.get(origin) ?? 0
  }

  #take(origin: string, count: 1 | -1): void {
    const taken = this.#takenBy(origin) + count
    if (taken > 0) this.#taken.set(origin, taken)
    else this.#taken.delete(origin)
    this.#takenInAll += count
    if (this.#slow.has(origin)) this.#takenBySlow += count
    if (this.#well.has(origin)) this.#takenByWell += count
  }

  /** Also moves a slow origin to the end of the order in which they are forgotten. */
  #setSlow(origin: string, slow: boolean): void {
    if (this.#slow.delete(origin)) this.#takenBySlow -= this.#takenBy(origin)
    if (!slow) return
    this.#slow.add(origin)
    this.#takenBySlow += this.#takenBy(origin)
  }

  #setWell(origin: string, well: boolean): void {
    if (this.#well.delete(origin)) this.#takenByWell -= this.#takenBy(origin)
    if (!well) return
    this.#well.add(origin)
    this.#takenByWell += this.#takenBy(origin)
  }

  #isFree(origin: string): boolean {
    const { slots, slotsForWell } = this.#bounds
    if (this.#takenInAll >= slots) return false
    const takenByOthers = this.#takenInAll - this.#takenByWell
    if (!this.#well.has(origin) && takenByOthers >= slots - slotsForWell) return false
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

  /** One release can grant several slots: for all waiting behind an origin that is no longer slow. */
  #grantNext(): void {
    this.#waiting = this.#waiting.filter(({ origin, answer }) => {
      if (!this.#isFree(origin)) return true
      this.#take(origin, 1)
      answer('granted')
      return false
    })
  }
}
