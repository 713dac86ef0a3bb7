/**
 * One connection of a phone: two ordered channels. When it is cut, some of the frames in flight still arrive,
 * and each end notices at a different time. So frames of an old connection can arrive after a new one opened.
 */
import type { PhoneNews, PhoneOrder } from '#contracts/phone-orders.ts'
import type { Faults } from '#test/simulation/faults.ts'
import type { Schedule } from '#test/simulation/schedule.ts'

export interface LinkEnds {
  readonly schedule: Schedule
  readonly faults: Faults
  readonly atGateway: (link: Link, news: PhoneNews) => void
  readonly closedAtGateway: (link: Link, silentMs: number) => void
  readonly atPhone: (link: Link, order: PhoneOrder) => void
  readonly closedAtPhone: (link: Link) => void
}

export class Link {
  readonly phone: number
  socket: number
  openAtGateway = true
  openAtPhone = true
  /** How many journals the gateway received on this connection. */
  journals = 0
  readonly up: Channel<PhoneNews | 'end'>
  readonly down: Channel<PhoneOrder | 'end'>
  readonly #ends: LinkEnds
  #heardAt: number

  constructor(which: { readonly phone: number; readonly socket: number }, ends: LinkEnds) {
    this.phone = which.phone
    this.socket = which.socket
    this.#ends = ends
    this.#heardAt = ends.schedule.now
    this.up = new Channel(ends, news => {
      if (news === 'end') this.closeAtGateway()
      else if (this.openAtGateway) {
        this.#heardAt = ends.schedule.now
        ends.atGateway(this, news)
      }
    })
    this.down = new Channel(ends, order => {
      if (order === 'end') this.closeAtPhone()
      else ends.atPhone(this, order)
    })
  }

  /** The network fails between both ends. */
  drop(): void {
    const { schedule, faults } = this.#ends
    this.up.cut()
    this.down.cut()
    schedule.after(faults.noticeMs(45_000), () => this.closeAtGateway())
    schedule.after(faults.noticeMs(20_000), () => this.closeAtPhone())
  }

  /** The phone loses the connection, but the gateway's last frame is in flight and arrives later. */
  linger(order: PhoneOrder): void {
    const { schedule, faults } = this.#ends
    this.up.cut()
    schedule.after(faults.random.between(50, 8000), () => this.#ends.atPhone(this, order))
    schedule.after(faults.noticeMs(45_000), () => this.closeAtGateway())
    this.closeAtPhone()
  }

  /** The phone closes the connection. What it sent before may still arrive, before the close. */
  hangUp(): void {
    this.openAtPhone = false
    this.up.send('end')
    this.down.cut()
  }

  /** The phone's program died. */
  phoneDied(): void {
    this.openAtPhone = false
    this.drop()
  }

  /** The gateway's process died, and its sockets with it. */
  gatewayDied(): void {
    this.openAtGateway = false
    this.up.cut()
    this.down.cut()
    const { schedule, faults } = this.#ends
    schedule.after(faults.noticeMs(15_000), () => this.closeAtPhone())
  }

  closeAtGateway(): void {
    if (!this.openAtGateway) return
    this.openAtGateway = false
    this.#ends.closedAtGateway(this, this.#ends.schedule.now - this.#heardAt)
  }

  closeAtPhone(): void {
    if (!this.openAtPhone) return
    this.openAtPhone = false
    this.#ends.closedAtPhone(this)
  }
}

class Channel<T> {
  readonly #ends: LinkEnds
  readonly #deliver: (word: T) => void
  #sent = 0
  #delivered = 0
  #cutAt = Number.POSITIVE_INFINITY
  #lastAt = 0

  constructor(ends: LinkEnds, deliver: (word: T) => void) {
    this.#ends = ends
    this.#deliver = deliver
  }

  send(word: T): void {
    const { schedule, faults } = this.#ends
    const index = this.#sent++
    this.#lastAt = Math.max(this.#lastAt, schedule.now + faults.frameDelayMs())
    schedule.after(this.#lastAt - schedule.now, () => {
      if (index >= this.#cutAt) return
      this.#delivered = index + 1
      this.#deliver(word)
    })
  }

  /** The first few frames in flight still arrive; the rest and all later ones are lost. */
  cut(): void {
    const onItsWay = this.#sent - this.#delivered
    this.#cutAt = Math.min(this.#cutAt, this.#delivered + this.#ends.faults.random.below(onItsWay + 1))
  }
}
