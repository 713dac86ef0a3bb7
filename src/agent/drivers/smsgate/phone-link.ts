/** The agent's connection to its phone: finds the current address, and checks which phone answers there. */
import type { Clock } from '#agent/clock.ts'
import {
  callPhone,
  type PhoneAccess,
  type PhoneAnswer,
  type PhoneCall,
} from '#agent/drivers/smsgate/call-phone.ts'
import { type Examined, examinePhone, type SeenPhone } from '#agent/drivers/smsgate/examine-phone.ts'
import type { PhoneRecord, Witness } from '#agent/drivers/smsgate/phone-record.ts'

/**
 * Before the agent posts a text, it checks which phone answers at the address, unless its last check is at
 * most this old. A check made at `begin` is still valid when `go` arrives. No router gives the address to
 * another phone this fast.
 */
export const SMSGATE_EXAMINATION_AGE_MS_MAX = 2_000

export interface LinkPorts {
  readonly clock: Clock
  readonly access: PhoneAccess
  readonly record: PhoneRecord
  readonly log: (line: string) => void
}

export class PhoneLink {
  readonly #ports: LinkPorts
  #url: string
  #seen: SeenPhone | null = null
  #examining: Promise<Examined> | null = null
  /**
   * When the last examination found the phone, monotonic milliseconds. Null: it did not find the phone, or a
   * text was posted since.
   */
  #foundMs: number | null = null

  constructor(ports: LinkPorts) {
    this.#ports = ports
    this.#url = ports.access.url
  }

  /** The facts of the last successful examination. Null: none has succeeded since the agent started. */
  get seen(): SeenPhone | null {
    return this.#seen
  }

  /** The phone's id. Usually it is known before the phone answers. */
  get phoneId(): string | null {
    return this.#ports.record.phoneId
  }

  /** The latest text that the phone is known to have, also from earlier runs of the agent. */
  get witness(): Witness | null {
    return this.#ports.record.witness
  }

  noteWitness(witness: Witness): void {
    this.#ports.record.noteWitness(witness)
  }

  /** @throws PhoneCallError */
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

  /**
   * Makes sure, before a text is posted, that the phone answers. An examination a moment ago counts, but for
   * one text only.
   */
  async examineForText(): Promise<Examined> {
    const sinceMs = this.#foundMs === null ? null : this.#ports.clock.monotonicMs() - this.#foundMs
    const isFresh = sinceMs !== null && sinceMs <= SMSGATE_EXAMINATION_AGE_MS_MAX
    const examined: Examined =
      isFresh && this.#seen !== null ? { kind: 'phone', phone: this.#seen } : await this.examine()
    this.#foundMs = null
    return examined
  }

  /** Tries the current address, then earlier ones: a router may assign new addresses. */
  async #examineAnywhere(): Promise<Examined> {
    const { record, access, log } = this.#ports
    const here = await this.#examineAt(this.#url)
    if (here.kind === 'phone' || record.phoneId === null) return here
    for (const url of new Set([access.url, ...record.addresses])) {
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
    const { clock, access, record } = this.#ports
    const examined = await examinePhone(clock, { ...access, url }, record.phoneId)
    this.#foundMs = null
    if (examined.kind === 'phone') {
      this.#seen = examined.phone
      this.#foundMs = clock.monotonicMs()
      record.addAddress(examined.phone.phoneId, url)
    }
    return examined
  }
}
