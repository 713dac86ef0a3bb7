/**
 * Reports outcomes and received texts, repeatedly until the gateway acknowledges them.
 */
import type { Clock } from '#agent/clock.ts'
import type { Journal } from '#agent/journal.ts'
import type { Entry, Finished, Received } from '#agent/journal-record.ts'
import type { ReportAck } from '#agent/session/gateway-frame.ts'
import type { Link } from '#agent/session/link.ts'
import { FRAME_BYTES_MAX } from '#contracts/bounds.ts'
import type { ReceivedFrame, ReportFrame } from '#contracts/device-frames.ts'

/** A report that the gateway has not acknowledged is sent again after this time. */
const AGENT_REPEAT_MS = 10_000
/** Reports and received messages sent in one burst: well below `FRAMES_PER_SECOND_MAX`. */
const AGENT_FRAMES_PER_FLUSH_MAX = 40

export class Reporter {
  readonly #journal: Journal
  readonly #clock: Clock
  #link: Link | null = null
  /**
   * The last report of each message on this link, and its time. The key is the id of the message or received
   * text. `reported` is the attempt and state, or `received`.
   */
  readonly #lastReports = new Map<string, { reported: string; atMs: number }>()
  /** The last state of a message that the gateway has acknowledged. */
  readonly #acked = new Map<string, string>()
  #onAllAcked: (() => void) | null = null

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal
    this.#clock = clock
  }

  attach(link: Link): void {
    this.#link = link
    this.#lastReports.clear()
    this.flush()
  }

  detach(): void {
    this.#link = null
  }

  /** Sends due reports: new ones at once, unacknowledged ones again after `AGENT_REPEAT_MS`. */
  flush(): void {
    if (this.#link === null) return
    let room = AGENT_FRAMES_PER_FLUSH_MAX
    for (const entry of this.#journal.messages.values()) {
      if (room === 0) return
      if (!this.#isUnacknowledged(entry) || !this.#takeIfDue(entry.messageId, ackKey(entry))) continue
      this.#link.send(reportOf(entry))
      room--
    }
    for (const message of this.#journal.received.values()) {
      if (room === 0) return
      if (!this.#takeIfDue(message.id, 'received')) continue
      this.#link.send(receivedOf(message))
      room--
    }
  }

  /** The gateway offered a finished message again: reports how it ended, once for each offer. */
  repeatFinished(finished: Finished): void {
    this.#link?.send(reportOf({ ...finished, detail: null, at: null }))
  }

  /**
   * The gateway offered a message again that is being sent or was sent: reports its state, once per offer.
   */
  repeat(entry: Entry): void {
    this.#link?.send(reportOf(entry))
  }

  acked(frame: ReportAck): void {
    const entry = this.#journal.messages.get(frame.messageId)
    if (entry === undefined || entry.attempt !== frame.attempt) return
    this.#acked.set(entry.messageId, ackKey(frame))
    this.settle(entry)
    if (!this.hasPendingReports()) this.#onAllAcked?.()
  }

  receivedAcked(id: string): void {
    if (this.#journal.received.has(id)) this.#journal.receivedAcked(id)
    this.#lastReports.delete(id)
  }

  /** Moves a message to the finished ones once the gateway has acknowledged its last state. */
  settle(entry: Entry): void {
    if (!entry.done || this.#acked.get(entry.messageId) !== ackKey(entry)) return
    this.#journal.finish(entry)
    this.#acked.delete(entry.messageId)
    this.#lastReports.delete(entry.messageId)
  }

  hasPendingReports(): boolean {
    return [...this.#journal.messages.values()].some(entry => this.#isUnacknowledged(entry))
  }

  /** Runs `then` once no report is pending. */
  whenAllAcked(then: () => void): void {
    if (this.hasPendingReports()) this.#onAllAcked = then
    else then()
  }

  #isUnacknowledged(entry: Entry): boolean {
    if (entry.state === 'accepted' || entry.state === 'submitting') return false
    return this.#acked.get(entry.messageId) !== ackKey(entry)
  }

  /** Whether the report is due. If so, notes that it is sent now. */
  #takeIfDue(id: string, reported: string): boolean {
    const nowMs = this.#clock.monotonicMs()
    const last = this.#lastReports.get(id)
    if (last?.reported === reported && nowMs - last.atMs < AGENT_REPEAT_MS) return false
    this.#lastReports.set(id, { reported, atMs: nowMs })
    return true
  }
}

const ackKey = ({ attempt, state }: Pick<Entry, 'attempt' | 'state'>) => `${attempt} ${state}`

function reportOf(entry: Finished & { detail: string | null; at: string | null }): ReportFrame {
  const { messageId, attempt, state, code, detail, at } = entry
  return { type: 'report', messageId, attempt, state, code, detail, at }
}

/**
 * A received text can be longer than a frame may be (an SMS of a hundred segments). Such a frame would make
 * the gateway close the connection at every try. So only the beginning of the text is sent.
 */
function receivedOf({ id, from, message, at, simSlot }: Received): ReceivedFrame {
  const frame = { type: 'received', id, from, message, at, simSlot } as const
  const bytes = Buffer.byteLength(JSON.stringify(frame))
  if (bytes <= FRAME_BYTES_MAX || message === '') return frame
  const kept = Math.max(0, Math.floor((message.length * FRAME_BYTES_MAX) / bytes) - 1)
  const cut = message.slice(0, kept).replace(/[\ud800-\udbff]$/, '')
  return receivedOf({ id, from, message: cut, at, simSlot })
}
