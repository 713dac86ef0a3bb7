/** Ties the network's delivery reports to texts. A text has arrived when all its parts have. */
import { type Clock, pause } from '#agent/clock.ts'
import type { Order, Outcome } from '#agent/drivers/driver.ts'
import { type Awaited, hashOf, type ModemRecord } from '#agent/drivers/modem/modem-record.ts'
import { endOf, type SeenSms } from '#agent/drivers/modem/sms.ts'

/** References repeat after 256 parts, so more cannot be told apart. */
const REFERENCES = 256
const AWAITED_MAX = 200
/** Many networks never report a delivery. Those that do try for two days. */
const FOLLOW_MS_MAX = 172_800_000
/** TP-Status of 3GPP 23.040: delivered; from here on the network has given up. */
const ARRIVED = 0
const GIVEN_UP = 0x40
const UNKNOWN = 0x100

const UNDELIVERED: Outcome = {
  state: 'failed',
  code: 'UNDELIVERED',
  detail: 'the network could not deliver it',
}

export class DeliveryReports {
  readonly #record: ModemRecord
  readonly #clock: Clock
  /** Who waits for which text. */
  readonly #waiting = new Map<string, (outcome: Outcome | null) => void>()
  /** What came before anybody waited. */
  readonly #early = new Map<string, Outcome>()

  constructor(record: ModemRecord, clock: Clock) {
    this.#record = record
    this.#clock = clock
  }

  /** The text was sent. `last`: the reference of its last part; the parts before have those before. */
  expect({ messageId, attempt, phoneNumber, segments }: Order, last: number): void {
    const references = Array.from({ length: segments }, (_, part) => (last - part + REFERENCES) % REFERENCES)
    const recipient = hashOf(endOf(phoneNumber))
    const others = this.#record.awaited.filter(one => one.messageId !== messageId)
    const isFree = (one: Awaited) =>
      one.recipient !== recipient || !one.references.some(reference => references.includes(reference))
    // From now on a report with such a reference is about this text. The end of an older one stays unknown.
    const older = others.filter(isFree).slice(1 - AWAITED_MAX)
    this.#record.change({ awaited: [...older, { messageId, attempt, recipient, references }] })
    for (const one of others) if (!older.includes(one)) this.#end(one.messageId, null)
  }

  /** A report came. False: no text waits for it. */
  take({ Number: number, MessageReference: reference, DeliveryState: status }: SeenSms): boolean {
    const recipient = hashOf(endOf(number))
    const isMine = (one: Awaited) => one.recipient === recipient && one.references.includes(reference)
    const awaited = this.#record.awaited.find(isMine)
    if (awaited === undefined) return false
    if (status === ARRIVED) this.#arrived(awaited, reference)
    else if (status >= GIVEN_UP && status < UNKNOWN) this.#finish(awaited, UNDELIVERED)
    return true
  }

  /** Waits for the end of a text. Null: nothing more will be known, or the signal aborted. */
  follow({ messageId }: Pick<Order, 'messageId'>, signal: AbortSignal): Promise<Outcome | null> {
    const early = this.#early.get(messageId)
    this.#early.delete(messageId)
    const isAwaited = this.#record.awaited.some(one => one.messageId === messageId)
    if (early !== undefined || !isAwaited || signal.aborted) return Promise.resolve(early ?? null)
    return new Promise(resolve => {
      this.#waiting.set(messageId, resolve)
      void pause(this.#clock, FOLLOW_MS_MAX, signal).then(() => this.#end(messageId, null))
    })
  }

  #arrived(awaited: Awaited, reference: number): void {
    const references = awaited.references.filter(one => one !== reference)
    if (references.length === 0) return this.#finish(awaited, { state: 'delivered' })
    const isOther = (one: Awaited) => one.messageId !== awaited.messageId
    this.#record.change({ awaited: [...this.#record.awaited.filter(isOther), { ...awaited, references }] })
  }

  #finish({ messageId }: Awaited, outcome: Outcome): void {
    this.#record.change({ awaited: this.#record.awaited.filter(one => one.messageId !== messageId) })
    this.#end(messageId, outcome)
  }

  #end(messageId: string, outcome: Outcome | null): void {
    const waiting = this.#waiting.get(messageId)
    this.#waiting.delete(messageId)
    if (waiting !== undefined) waiting(outcome)
    else if (outcome !== null) this.#early.set(messageId, outcome)
  }
}
