/** Received texts and delivery reports: reads them from the modem, and deletes what is settled. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Incoming } from '#agent/drivers/driver.ts'
import { type Bus, BusError } from '#agent/drivers/modem/bus.ts'
import type { DeliveryReports } from '#agent/drivers/modem/delivery-reports.ts'
import type { ModemLink } from '#agent/drivers/modem/modem-link.ts'
import { isMissing, MODEM_MANAGER, type SeenModem } from '#agent/drivers/modem/seen-modem.ts'
import type { TextSender } from '#agent/drivers/modem/send-text.ts'
import { deleteSms, indexOf, readSms, type SeenSms, SMS_KIND, SMS_STATE } from '#agent/drivers/modem/sms.ts'
import type { Received } from '#agent/journal-record.ts'

/** Ids of texts that were handed in before. A text whose deletion failed may come again much later. */
const KNOWN_MAX = 300
/**
 * Of texts that arrive at the same moment, ModemManager (1.20) reads only one. It reads the modem's memory
 * again when the modem is switched off and on, which takes seconds: once when the rest of a text does not
 * come for so long …
 */
const REREAD_INCOMPLETE_MS = 60_000
/** … and now and then, for texts of one part. */
const REREAD_EVERY_MS = 21_600_000
/** What there is of a text with several parts is deleted when the rest has not come for so long … */
const INCOMPLETE_MS_MAX = 86_400_000
/**
 * … or for so long after a deletion was cut off: then it is what is left of a text that the gateway has.
 * ModemManager says nothing of an incomplete text, not even its sender, so this cannot be known.
 */
const LEFTOVER_MS_MAX = 600_000
/** A longer text may have several parts, which ModemManager deletes one after another. */
const ONE_PART_LENGTH_MAX = 70

const Cursor = v.array(v.string())

export interface InboxPorts {
  readonly link: ModemLink
  readonly reports: DeliveryReports
  readonly sender: TextSender
}

export class Inbox {
  readonly #ports: InboxPorts
  readonly #incomplete = new IncompleteTexts()
  /**
   * When ModemManager last read the memory, and when a text was incomplete or may have become so, monotonic
   * milliseconds.
   */
  #rereadMs: number
  #incompleteMs: number

  constructor(ports: InboxPorts) {
    this.#ports = ports
    this.#rereadMs = ports.link.clock.monotonicMs()
    this.#incompleteMs = this.#rereadMs
  }

  /**
   * Returns the texts that are new, and deletes those that the gateway has. The cursor is the list of ids
   * that were handed in. `isWaiting`: whether the gateway has not acknowledged a text yet.
   */
  async read(cursor: string | null, isWaiting: (id: string) => boolean = () => true): Promise<Incoming> {
    const { link, sender } = this.#ports
    const known = readCursor(cursor)
    const messages = new Map<string, Received>()
    try {
      const examined = await link.examine()
      if (examined.kind === 'trouble') return { messages: [], cursor }
      const bus = await link.bus()
      await sender.forgetDone(bus, examined.modem)
      for (const sms of await this.#readAll(bus, examined.modem)) {
        const text = receivedOf(sms)
        if (!known.includes(text.id)) messages.set(text.id, text)
        else if (!isWaiting(text.id)) await this.#deleteText(bus, examined.modem, sms)
      }
      if (messages.size === 0 && this.#isRereadDue()) await this.#reread()
    } catch (error) {
      if (!(error instanceof BusError)) throw error
      link.log(`The modem's texts cannot be read: ${error.message}`)
    }
    if (messages.size === 0) return { messages: [], cursor }
    return {
      messages: [...messages.values()].toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')),
      cursor: JSON.stringify([...known, ...messages.keys()].slice(-KNOWN_MAX)),
    }
  }

  #isRereadDue(): boolean {
    const nowMs = this.#ports.link.clock.monotonicMs()
    if (nowMs - this.#rereadMs >= REREAD_EVERY_MS) return true
    return this.#incomplete.hasFrom(this.#rereadMs, nowMs - REREAD_INCOMPLETE_MS)
  }

  async #reread(): Promise<void> {
    const { link, sender } = this.#ports
    if (sender.isSending) return
    let isTried = true
    try {
      isTried = await link.switchOffAndOn()
    } finally {
      // Also when it fails: a modem that cannot be switched on must not be switched off at each read.
      if (isTried) this.#rereadMs = link.clock.monotonicMs()
    }
  }

  /** Reads all objects; returns the texts that are complete. */
  async #readAll(bus: Bus, modem: SeenModem): Promise<SeenSms[]> {
    const texts: SeenSms[] = []
    const incomplete: SeenSms[] = []
    const { added } = this.#ports.link
    const paths = new Set([...(modem.messages ?? []), ...added])
    added.clear()
    for (const path of paths) {
      const sms = await readSms(bus, path)
      if (sms?.PduType === SMS_KIND.report) await this.#takeReport(bus, modem, sms)
      else if (sms?.State === SMS_STATE.received) texts.push(sms)
      else if (sms?.State === SMS_STATE.receiving) incomplete.push(sms)
    }
    await this.#noteIncomplete(bus, modem, incomplete)
    return texts
  }

  async #takeReport(bus: Bus, modem: SeenModem, sms: SeenSms): Promise<void> {
    const { reports, sender } = this.#ports
    if (reports.take(sms) || !sender.isSending) await this.#delete(bus, modem, sms.path)
  }

  /** When ModemManager dies in the middle, some parts stay. The record lets them be found as leftovers. */
  async #deleteText(bus: Bus, modem: SeenModem, { path, Text: text }: SeenSms): Promise<void> {
    const { record, clock } = this.#ports.link
    const { hasLeftovers } = record
    const hasParts = text.length > ONE_PART_LENGTH_MAX
    if (hasParts) this.#incompleteMs = clock.monotonicMs()
    const mayLeaveSome = hasParts && !hasLeftovers
    if (mayLeaveSome) record.change({ hasLeftovers: true })
    if ((await this.#delete(bus, modem, path)) && mayLeaveSome) record.change({ hasLeftovers })
  }

  /** A text that cannot be deleted must not keep others from being read. It is tried again each time. */
  async #delete(bus: Bus, modem: SeenModem, path: string): Promise<boolean> {
    try {
      await deleteSms(bus, modem, path)
      return true
    } catch (error) {
      if (!(error instanceof BusError) || error.errorName === null || isMissing(error)) throw error
      this.#ports.link.log(`The modem does not delete a text: ${error.message}`)
      return false
    }
  }

  async #noteIncomplete(bus: Bus, modem: SeenModem, incomplete: readonly SeenSms[]): Promise<void> {
    const { link } = this.#ports
    const { record } = link
    const nowMs = link.clock.monotonicMs()
    const run = `${await bus.ownerOf(MODEM_MANAGER)} ${this.#rereadMs}`
    const paths = incomplete.map(({ path }) => path).toSorted((a, b) => indexOf(a) - indexOf(b))
    this.#incomplete.note(run, paths, nowMs)
    // One look does not prove that there are none: ModemManager may be reading the memory just now.
    if (paths.length > 0) this.#incompleteMs = nowMs
    else if (record.hasLeftovers && nowMs - this.#incompleteMs >= LEFTOVER_MS_MAX)
      record.change({ hasLeftovers: false })
    const maxMs = record.hasLeftovers ? LEFTOVER_MS_MAX : INCOMPLETE_MS_MAX
    for (const path of this.#incomplete.olderThan(nowMs - maxMs)) {
      link.log('A text of several parts never became complete; what came of it is deleted.')
      await this.#delete(bus, modem, path)
    }
  }
}

function readCursor(cursor: string | null): string[] {
  try {
    return v.parse(Cursor, JSON.parse(cursor ?? '[]'))
  } catch {
    return []
  }
}

/**
 * The id is made of what the network says, so it stays when ModemManager starts again, and a text that the
 * network repeats has it, too.
 */
function receivedOf({ Number: from, Text: message, Timestamp: time }: SeenSms): Received {
  const hash = createHash('sha256').update(JSON.stringify([from, time, message]))
  return {
    id: `modem-${hash.digest('base64url').slice(0, 22)}`,
    from: from.slice(0, 64),
    message: message.slice(0, 10_000),
    at: timeOf(time),
    simSlot: null,
  }
}

/** ModemManager writes a time zone without minutes, such as +02. */
function timeOf(written: string): string | null {
  const time = new Date(written.replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Received texts of several parts of which some are missing: how long each has been so. */

export class IncompleteTexts {
  #run = ''
  /** Since when, monotonic milliseconds, by path. */
  #since = new Map<string, number>()

  /**
   * Notes which ones there are now. `run`: which reading of the modem's memory made the paths. The next one
   * finds the same texts in the same order, and gives them other paths.
   */
  note(run: string, paths: readonly string[], nowMs: number): void {
    const known = this.#since
    // If fewer are left, it is not known which. Then they count as the youngest.
    const times = [...known.values()].slice(Math.max(0, known.size - paths.length))
    const timeOf = (path: string, index: number) => (run === this.#run ? known.get(path) : times[index])
    this.#since = new Map(paths.map((path, index) => [path, timeOf(path, index) ?? nowMs]))
    this.#run = run
  }

  /** Paths of those that were there at this moment already. */
  olderThan(sinceMs: number): string[] {
    return [...this.#since].filter(([, ms]) => ms <= sinceMs).map(([path]) => path)
  }

  /** Whether one was noted between two moments. */
  hasFrom(fromMs: number, toMs: number): boolean {
    return [...this.#since.values()].some(ms => ms >= fromMs && ms <= toMs)
  }
}
