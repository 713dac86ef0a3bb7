/**
 * Takes messages from offer to outcome. Each `go` lets the radio send at most once.
 *
 * The agent asks for a message (`begin`) only when the radio is free, so that it can use the `go` at once. A
 * `go` counts once, and only if it comes on the link of its `begin`, for the same attempt, and within ten
 * seconds. Between this check and the call of the radio, only `submitting` is written to disk, and no code
 * may await.
 */
import { type Clock, wallTime } from '#agent/clock.ts'
import type { Driver, Outcome } from '#agent/drivers/driver.ts'
import type { Health } from '#agent/health.ts'
import type { Journal } from '#agent/journal.ts'
import type { Entry } from '#agent/journal-record.ts'
import type { GoOrNo, Offer } from '#agent/session/gateway-frame.ts'
import type { Link } from '#agent/session/link.ts'
import type { Radio } from '#agent/session/radio.ts'
import type { Reporter } from '#agent/session/reporter.ts'

/** Open messages in the journal. The gateway offers at most `SENDING_SLOTS` (3) at a time. */
const AGENT_MESSAGES_MAX = 1_000
/** The phone may act on a `go` for this long, counted from the `begin` that asked for it. */
export const GO_VALID_MS = 10_000

/** A `begin` that the gateway has not answered yet. */
interface PendingBegin {
  readonly messageId: string
  readonly attempt: number
  /** The driver's mark, read before the `begin`. */
  readonly mark: string | null
  readonly monotonicMs: number
  readonly wallMs: number
}

export interface OfferQueuePorts {
  readonly journal: Journal
  readonly reporter: Reporter
  readonly radio: Radio
  readonly driver: Driver
  readonly health: Pick<Health, 'canSendNow'>
  readonly clock: Clock
  readonly log: (line: string) => void
}

export class OfferQueue {
  readonly #ports: OfferQueuePorts
  #link: Link | null = null
  #pendingBegin: PendingBegin | null = null
  #preparing = false
  #stopping = false
  /** Messages for which a `begin` was sent on this connection. Only a new offer allows another `begin`. */
  readonly #begunHere = new Set<string>()
  /** The end of each message's time to live, in monotonic milliseconds. */
  readonly #expiresMs = new Map<string, number>()

  constructor(ports: OfferQueuePorts) {
    this.#ports = ports
    const { journal, clock } = ports
    for (const entry of journal.messages.values()) {
      if (entry.state !== 'accepted') continue
      // Only the wall clock survives a restart. If it was set back, the elapsed time counts as 0.
      const elapsedMs = Math.max(0, clock.wallMs() - Date.parse(entry.acceptedAt))
      this.#expiresMs.set(entry.messageId, clock.monotonicMs() + entry.ttlMs - elapsedMs)
    }
  }

  attach(link: Link): void {
    this.#link = link
    this.#begunHere.clear()
    this.#beginNext()
  }

  detach(): void {
    this.#link = null
    this.#pendingBegin = null
  }

  /** Ignores every `go` from now on. */
  stop(): void {
    this.#stopping = true
  }

  tick(): void {
    const { journal, clock } = this.#ports
    for (const entry of journal.messages.values()) {
      if (entry.state === 'accepted' && this.#isExpired(entry)) this.#refuse(entry, 'EXPIRED')
    }
    if (this.#pendingBegin !== null && elapsedMs(this.#pendingBegin, clock) > GO_VALID_MS)
      this.#pendingBegin = null
    this.#beginNext()
  }

  offer(offer: Offer): void {
    const { journal, reporter, clock } = this.#ports
    const { messageId, attempt } = offer
    const known = journal.messages.get(messageId)
    const finished = journal.finished.get(messageId)
    if (known !== undefined && known.state !== 'accepted' && !isNewer(attempt, known)) reporter.repeat(known)
    else if (finished !== undefined && !isNewer(attempt, finished)) reporter.repeatFinished(finished)
    else if (known !== undefined && attempt < known.attempt) return
    else if (known?.attempt === attempt && this.#pendingBegin?.messageId === messageId) return
    else this.#accept(offer, known, wallTime(clock))
  }

  #accept(offer: Offer, known: Entry | undefined, at: string): void {
    const { journal, clock, log } = this.#ports
    const { messageId, attempt, ttlMs } = offer
    if (known === undefined && journal.messages.size >= AGENT_MESSAGES_MAX) {
      log(`${messageId}: not accepted, the journal holds ${AGENT_MESSAGES_MAX} messages`)
      return
    }
    if (known?.attempt !== attempt) journal.accept(entryOf(offer, at))
    this.#begunHere.delete(messageId)
    if (this.#pendingBegin?.messageId === messageId) this.#pendingBegin = null
    this.#expiresMs.set(messageId, clock.monotonicMs() + ttlMs)
    this.#beginNext()
  }

  go(link: Link, frame: GoOrNo): void {
    const { journal, driver, radio, clock, log } = this.#ports
    const entry = journal.messages.get(frame.messageId)
    if (entry === undefined || entry.attempt !== frame.attempt || entry.state !== 'accepted') {
      log(`${frame.messageId}: a go for attempt ${frame.attempt} is ignored`)
      return
    }
    const pending = this.#pendingBegin
    const isValid =
      !this.#stopping &&
      link === this.#link &&
      pending?.messageId === frame.messageId &&
      pending.attempt === frame.attempt &&
      elapsedMs(pending, clock) <= GO_VALID_MS
    if (pending?.messageId === frame.messageId) this.#pendingBegin = null
    if (!isValid) this.#refuse(entry, 'GO_EXPIRED')
    else if (this.#isExpired(entry)) this.#refuse(entry, 'EXPIRED')
    else {
      this.#stopWaitingFor(entry.messageId)
      radio.send(driver, { ...entry, mark: pending.mark }, () => this.#beginNext())
    }
    this.#beginNext()
  }

  no(frame: GoOrNo): void {
    const entry = this.#ports.journal.messages.get(frame.messageId)
    if (entry?.attempt === frame.attempt) this.#forget(entry)
  }

  cancel(messageId: string): void {
    const entry = this.#ports.journal.messages.get(messageId)
    if (entry !== undefined) this.#forget(entry)
  }

  #forget(entry: Entry): void {
    if (entry.state !== 'accepted') return
    this.#ports.journal.forget(entry.messageId)
    this.#stopWaitingFor(entry.messageId)
    this.#beginNext()
  }

  /** Refuses an attempt. It was not transmitted and will not be. */
  #refuse(entry: Entry, code: 'GO_EXPIRED' | 'EXPIRED'): void {
    const { radio, log } = this.#ports
    log(`${entry.messageId}: not sent, ${code}`)
    this.#stopWaitingFor(entry.messageId)
    radio.record(entry.messageId, { state: 'failed', code } satisfies Outcome)
  }

  /** Forgets the deadline of a waiting message and its `begin`. */
  #stopWaitingFor(messageId: string): void {
    this.#expiresMs.delete(messageId)
    this.#begunHere.delete(messageId)
    if (this.#pendingBegin?.messageId === messageId) this.#pendingBegin = null
  }

  #isExpired(entry: Entry): boolean {
    return this.#ports.clock.monotonicMs() > (this.#expiresMs.get(entry.messageId) ?? 0)
  }

  /**
   * Sends `begin` for the next message if the radio is free and no `begin` is pending. It sends none while
   * the phone cannot send, because each `go` uses up an attempt. The next tick tries again.
   */
  #beginNext(): void {
    if (!this.#isFree()) return
    const next = this.#next()
    if (next === undefined) return
    const { driver, radio } = this.#ports
    if (driver.mark === undefined && driver.checkEveryMs === undefined) {
      this.#begin(next, null)
      return
    }
    this.#preparing = true
    this.#prepare()
      .then(prepared => {
        this.#preparing = false
        // A mark is valid for every message that is begun after it. Another message may be next by now.
        const nextNow = prepared !== null && this.#isFree() ? this.#next() : undefined
        if (nextNow !== undefined) this.#begin(nextNow, prepared?.mark ?? null)
      })
      .catch((error: unknown) => radio.fault(error))
  }

  /** Null: the phone cannot send now. */
  async #prepare(): Promise<{ readonly mark: string | null } | null> {
    const { driver, health, log } = this.#ports
    if (!(await health.canSendNow())) return null
    try {
      return { mark: (await driver.mark?.()) ?? null }
    } catch (error) {
      log(`The phone's earlier texts cannot be read: ${String(error)}`)
      return { mark: null }
    }
  }

  #isFree(): boolean {
    const free = !this.#ports.radio.busy && !this.#preparing && !this.#stopping
    return free && this.#link !== null && this.#pendingBegin === null
  }

  /** One-time codes first, because a person waits for them; otherwise first in, first out. */
  #next(): Entry | undefined {
    const waiting = [...this.#ports.journal.messages.values()].filter(
      entry => entry.state === 'accepted' && !this.#begunHere.has(entry.messageId) && !this.#isExpired(entry),
    )
    return waiting.find(entry => entry.kind === '2fa') ?? waiting[0]
  }

  #begin({ messageId, attempt }: Entry, mark: string | null): void {
    const { clock } = this.#ports
    this.#begunHere.add(messageId)
    this.#pendingBegin = {
      messageId,
      attempt,
      mark,
      monotonicMs: clock.monotonicMs(),
      wallMs: clock.wallMs(),
    }
    this.#link?.send({ type: 'begin', messageId, attempt })
  }
}

/**
 * The larger elapsed time of the two clocks, in milliseconds. The monotonic clock stops while a phone
 * sleeps, and the wall clock may be set back. If the wall clock was set forward, a valid `go` is refused.
 * That costs an attempt but sends nothing twice.
 */
function elapsedMs(pending: PendingBegin, clock: Clock): number {
  return Math.max(clock.monotonicMs() - pending.monotonicMs, clock.wallMs() - pending.wallMs)
}

/** Whether to accept an offer of another attempt: the known attempt must have failed or never begun. */
function isNewer(attempt: number, known: Pick<Entry, 'attempt' | 'state'>): boolean {
  return attempt > known.attempt && (known.state === 'accepted' || known.state === 'failed')
}

function entryOf(offer: Offer, at: string): Entry {
  const { messageId, attempt, phoneNumber, message, segments, simSlot, kind, ttlMs } = offer
  const order = { messageId, attempt, phoneNumber, message, segments, simSlot, kind, ttlMs }
  return {
    ...order,
    acceptedAt: at,
    state: 'accepted',
    code: null,
    detail: null,
    at,
    mark: null,
    done: false,
  }
}
