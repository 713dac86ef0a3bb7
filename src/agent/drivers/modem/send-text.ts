/** Sends a text once, and finds out after a crash what became of it. */
import * as v from 'valibot'
import type { Order, Outcome } from '#agent/drivers/driver.ts'
import { type Bus, BusError } from '#agent/drivers/modem/bus.ts'
import type { DeliveryReports } from '#agent/drivers/modem/delivery-reports.ts'
import type { ModemLink } from '#agent/drivers/modem/modem-link.ts'
import { outcomeOfError } from '#agent/drivers/modem/outcome-of-error.ts'
import {
  callManager,
  MESSAGING,
  MODEM_MANAGER,
  type SeenModem,
  SMS,
} from '#agent/drivers/modem/seen-modem.ts'
import { deleteSms, indexOf, readSms, type SeenSms, SMS_KIND, SMS_STATE } from '#agent/drivers/modem/sms.ts'

/**
 * ModemManager waits 300 s for the modem's answer to each part, and then gives up. After this time it will
 * not answer any more.
 */
const PART_MS_MAX = 310_000

/**
 * The journal keeps with each text where its object in ModemManager will be: in this run of ModemManager, at
 * this modem, after the last one that there was.
 */
const Mark = v.object({ bus: v.string(), owner: v.string(), modem: v.string(), last: v.number() })
type Mark = v.InferOutput<typeof Mark>

const UNREADABLE = /\.Core\.(?:InvalidArgs|Unsupported)$/

export class TextSender {
  readonly #link: ModemLink
  readonly #reports: DeliveryReports
  /** Objects of texts whose outcome is known, by path, and which run of ModemManager has them. */
  readonly #done = new Map<string, string>()
  #isSending = false

  constructor(link: ModemLink, reports: DeliveryReports) {
    this.#link = link
    this.#reports = reports
  }

  /** While a text is being sent, a report can come before its reference is known. */
  get isSending(): boolean {
    return this.#isSending
  }

  /** The mark of the next text, as JSON. Null: ModemManager does not answer. */
  async mark(): Promise<string | null> {
    const { seen } = this.#link
    if (seen === null) return null
    try {
      return JSON.stringify(await this.#markOf(seen))
    } catch (error) {
      if (error instanceof BusError) return null
      throw error
    }
  }

  async #markOf({ path, messages }: SeenModem): Promise<Mark> {
    const bus = await this.#link.bus()
    const owner = await bus.ownerOf(MODEM_MANAGER)
    return { bus: bus.id, owner, modem: path, last: Math.max(-1, ...(messages ?? []).map(indexOf)) }
  }

  async send(order: Order): Promise<Outcome> {
    if (!/^\+?\d{1,20}$/.test(order.phoneNumber)) return { state: 'failed', code: 'INVALID_NUMBER' }
    const examined = await this.#link.examine()
    if (examined.kind === 'trouble')
      return { state: 'failed', code: examined.code, detail: examined.sentence }
    this.#isSending = true
    try {
      const bus = await this.#link.bus()
      const owner = await bus.ownerOf(MODEM_MANAGER)
      const path = await create(bus, examined.modem, order)
      if (typeof path !== 'string') return path
      const outcome = await this.#transmit(bus, path, order)
      this.#done.set(path, owner)
      return outcome
    } catch (error) {
      if (error instanceof BusError) return { state: 'failed', code: 'NOT_STARTED', detail: error.message }
      throw error
    } finally {
      this.#isSending = false
    }
  }

  /** From here on the text may leave. */
  async #transmit(bus: Bus, path: string, order: Order): Promise<Outcome> {
    if (!this.#link.mayTransmit)
      return { state: 'failed', code: 'NOT_STARTED', detail: 'another gateway leads the cluster' }
    try {
      const timeoutMs = PART_MS_MAX * Math.max(1, order.segments)
      await callManager(bus, { path, interface: SMS, member: 'Send', timeoutMs })
    } catch (error) {
      if (!(error instanceof BusError)) throw error
      if (error.errorName === null || error.errorName.endsWith('.ResponseTimeout')) this.#link.noteTimeout()
      else this.#link.noteAnswer()
      return outcomeOfError(error, order.segments)
    }
    this.#link.noteAnswer()
    await this.#expectReports(bus, path, order)
    return { state: 'sent' }
  }

  async #expectReports(bus: Bus, path: string, order: Order): Promise<void> {
    const sms = await readSms(bus, path).catch((error: unknown) => {
      if (error instanceof BusError) return null
      throw error
    })
    if (sms !== null) this.#reports.expect(order, sms.MessageReference)
  }

  /**
   * Asks ModemManager for a text that was being sent when the agent ended. While it is being sent, its object
   * looks as one that was never sent.
   */
  async lookUp(order: Order): Promise<Outcome | 'unknown' | 'later'> {
    const mark = readMark(order.mark)
    if (mark === null) return 'unknown'
    try {
      const bus = await this.#link.bus()
      const { seen } = await this.#link.examine().then(() => this.#link)
      if (seen === null) return this.#isOver(order) ? 'unknown' : 'later'
      const now = await this.#markOf(seen)
      if (now.bus !== mark.bus || now.owner !== mark.owner || now.modem !== mark.modem) return 'unknown'
      const sms = await this.#find(bus, seen, { order, mark })
      if (sms === null) return (await provesAbsence(bus, seen, mark)) ? NOT_STARTED : 'unknown'
      if (sms.State === SMS_STATE.sent) return await this.#wasSent(bus, sms, { order, owner: now.owner })
      return this.#isOver(order) ? 'unknown' : 'later'
    } catch (error) {
      if (!(error instanceof BusError)) throw error
      return this.#isOver(order) ? 'unknown' : 'later'
    }
  }

  /** Of several parts, the last may have left without the others. */
  async #wasSent(
    bus: Bus,
    sms: SeenSms,
    { order, owner }: { readonly order: Order; readonly owner: string },
  ): Promise<Outcome | 'unknown'> {
    this.#done.set(sms.path, owner)
    if (order.segments > 1) return 'unknown'
    await this.#expectReports(bus, sms.path, order)
    return { state: 'sent' }
  }

  async #find(
    bus: Bus,
    { messages }: SeenModem,
    { order, mark }: { readonly order: Order; readonly mark: Mark },
  ): Promise<SeenSms | null> {
    for (const path of messages ?? []) {
      if (indexOf(path) <= mark.last) continue
      const sms = await readSms(bus, path)
      const isMine = sms?.Number === order.phoneNumber && sms.Text === order.message
      if (isMine && sms.PduType === SMS_KIND.sent) return sms
    }
    return null
  }

  #isOver({ at, segments }: Order): boolean {
    const sinceMs = Math.max(0, this.#link.clock.wallMs() - Date.parse(at))
    return sinceMs > PART_MS_MAX * Math.max(1, segments)
  }

  /**
   * Deletes what ModemManager still keeps of texts that were sent, but for the last one: see `provesAbsence`.
   * Another run of ModemManager uses the same paths for other texts. @throws BusError
   */
  async forgetDone(bus: Bus, modem: SeenModem): Promise<void> {
    if (this.#done.size === 0) return
    const now = await bus.ownerOf(MODEM_MANAGER)
    for (const [path, owner] of this.#done) if (owner !== now) this.#done.delete(path)
    for (const path of [...this.#done.keys()].slice(0, -1)) {
      this.#done.delete(path)
      if (modem.messages?.includes(path)) await deleteSms(bus, modem, path)
    }
  }
}

/** The agent would take `not-sent` for too late when it had to ask twice, but this can be sent again. */
const NOT_STARTED: Outcome = { state: 'failed', code: 'NOT_STARTED' }

/**
 * Whoever sends creates an object first. That there is none proves something only if ModemManager still has
 * an older one: it forgets all of them when the modem is switched off, and lists them still. @throws BusError
 */
async function provesAbsence(bus: Bus, { messages }: SeenModem, mark: Mark): Promise<boolean> {
  for (const path of messages ?? [])
    if (indexOf(path) <= mark.last && (await readSms(bus, path)) !== null) return true
  return false
}

/** Returns the path of the new object, or why nothing can be sent. @throws BusError */
async function create(bus: Bus, { path }: SeenModem, order: Order): Promise<string | Outcome> {
  const text = { number: order.phoneNumber, text: order.message, 'delivery-report-request': true }
  try {
    const call = { path, interface: MESSAGING, member: 'Create', types: 'a{sv}', args: [text] }
    return String((await callManager(bus, call))[0])
  } catch (error) {
    if (!(error instanceof BusError)) throw error
    const detail = error.message.slice(0, 300)
    if (UNREADABLE.test(error.errorName ?? '')) return { state: 'failed', code: 'MODEM_REFUSED', detail }
    const outcome = outcomeOfError(error, 1)
    return outcome.state === 'failed' ? outcome : { state: 'failed', code: 'NOT_STARTED', detail }
  }
}

function readMark(mark: string | null): Mark | null {
  try {
    return v.parse(Mark, JSON.parse(mark ?? ''))
  } catch {
    return null
  }
}
