/** The agent's connection to its phone: finds the current address, and checks which phone answers there. */
import type { Clock } from '#agent/clock.ts'
import {
  callPhone,
  type PhoneAccess,
  type PhoneAnswer,
  type PhoneCall,
} from '#agent/drivers/smsgate/call-phone.ts'
import { type Examined, examinePhone, type SeenPhone } from '#agent/drivers/smsgate/examine-phone.ts'
import type { PhoneBook, Witness } from '#agent/drivers/smsgate/phone-book.ts'

export interface LinkPorts {
  readonly clock: Clock
  readonly access: PhoneAccess
  readonly book: PhoneBook
  readonly log: (line: string) => void
}

export class PhoneLink {
  readonly #ports: LinkPorts
  #url: string
  #seen: SeenPhone | null = null
  #examining: Promise<Examined> | null = null

  constructor(ports: LinkPorts) {
    this.#ports = ports
    this.#url = ports.access.url
  }

  /** The facts of the last successful examination. Null: the phone has never answered. */
  get seen(): SeenPhone | null {
    return this.#seen
  }

  /** The phone's id. Usually it is known before the phone answers. */
  get phoneId(): string | null {
    return this.#ports.book.phoneId
  }

  /** The latest text that the phone is known to have, also from earlier runs of the agent. */
  get witness(): Witness | null {
    return this.#ports.book.witness
  }

  noteWitness(witness: Witness): void {
    this.#ports.book.noteWitness(witness)
  }

  /** @throws PhoneFault */
  call(call: PhoneCall): Promise<PhoneAnswer> {
    return callPhone(this.#ports.clock, { ...this.#ports.access, url: this.#url }, call)
  }

  /** Callers that ask at the same time share one examination. */
  examine(): Promise<Examined> {
    this.#examining ??= this.#examineAnywhere().finally(() => {
      this.#examining = null
    })
    return this.#examining
  }

  /** Tries the current address, then earlier ones: a router may assign new addresses. */
  async #examineAnywhere(): Promise<Examined> {
    const { book, access, log } = this.#ports
    const here = await this.#examineAt(this.#url)
    if (here.kind === 'phone' || book.phoneId === null) return here
    for (const url of new Set([access.url, ...book.addresses])) {
      if (url === this.#url) continue
      const there = await this.#examineAt(url)
      if (there.kind !== 'phone') continue
      log(`The phone answers at ${url} now, no longer at ${this.#url}.`)
      this.#url = url
      return there
    }
    return here
  }

  async #examineAt(url: string): Promise<Examined> {
    const { clock, access, book } = this.#ports
    const examined = await examinePhone(clock, { ...access, url }, book.phoneId)
    if (examined.kind === 'phone') {
      this.#seen = examined.phone
      book.note(examined.phone.phoneId, url)
    }
    return examined
  }
}
