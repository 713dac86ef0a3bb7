import type { AlertFacts, RenderedAlert } from '#contracts/alert-reading.ts'
import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { PassedRequest, SeenTrigger, TriggerNote } from '#contracts/seen-trigger.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import { keepReading } from '#transport/http/keep-request.ts'
import type { RenderAlert } from '#transport/http/render-in-pool.ts'

/** Different refused alerts that a listener counts for a webhook between two reports to the writer. */
const HELD_ALERTS_MAX = 10_000
/** Things of which a report names the last request. */
const PASSED_MAX = 1000
/** Requests kept in a report about a webhook. More come only in a storm, where the last are enough. */
const REQUESTS_MAX = 4
/** So many of these are read, to name their things in the summary. */
const HELD_ALERTS_READ_MAX = 16
/** Longer bodies are not kept for that, except the last one. */
const HELD_BODY_BYTES_MAX = 65_536

/** A trigger that a listener answered without the writer. */
export interface AnsweredTrigger {
  readonly seen: SeenTrigger
  readonly isRejected: boolean
  /** The request, if it was read. */
  readonly passed?: PassedRequest
  /** The alert, for the summary, if it was refused because of `maxPerHour`; null: it was not. */
  readonly held: { readonly request: TriggerRequest; readonly requestHash: Uint8Array } | null
}

interface WebhookReport {
  webhook: Webhook
  isHeard: boolean
  rejected: number
  seen: SeenTrigger[]
  /** The last request about each thing. */
  readonly passed: Map<string | null, PassedRequest>
  /** Hashes of refused requests, so that a repeated request counts once. */
  readonly heldHashes: Set<string>
  /** Refused alerts that are read for the summary: the first ones and, at the end, the last one. */
  held: HeldTrigger[]
}

interface HeldTrigger extends NonNullable<AnsweredTrigger['held']> {
  readonly seen: SeenTrigger
}

/**
 * Reports to the writer the triggers that the listener answered itself. Only one report runs at a time.
 * Triggers that arrive during it wait for the next report. So a storm of refused triggers costs the writer
 * little, and only some of the refused alerts are rendered.
 */
export class TriggerJournal {
  readonly #writer: Writer
  readonly #render: RenderAlert
  #reports = new Map<string, WebhookReport>()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(writer: Writer, render: RenderAlert) {
    this.#writer = writer
    this.#render = render
  }

  /** Adds a request without an alert to the next report. Resolves as `note` does. */
  hear(webhook: Webhook): Promise<void> {
    this.#reportOf(webhook).isHeard = true
    return this.#soon()
  }

  /** Adds a trigger to the next report. Resolves when the report is committed or has failed. */
  note(webhook: Webhook, { seen, isRejected, passed, held }: AnsweredTrigger): Promise<void> {
    const known = this.#reportOf(webhook)
    known.isHeard ||= webhook.silentAfterMinutes !== null && seen.outcome !== 'ADDRESS_NOT_ALLOWED'
    if (isRejected) known.rejected += 1
    known.seen.push(seen)
    if (passed !== undefined && known.passed.size < PASSED_MAX) known.passed.set(passed.thing, passed)
    if (known.seen.length > SEEN_TRIGGERS_MAX) known.seen.shift()
    const old = known.seen.at(-1 - REQUESTS_MAX)
    if (old !== undefined) known.seen[known.seen.indexOf(old)] = { ...old, kept: null }
    if (held !== null && webhook.summarizeOverflow) {
      if (known.heldHashes.size < HELD_ALERTS_MAX)
        known.heldHashes.add(Buffer.from(held.requestHash).toString('latin1'))
      known.held = withHeld(known.held, { ...held, seen })
    }
    return this.#soon()
  }

  #reportOf(webhook: Webhook): WebhookReport {
    const known = this.#reports.get(webhook.id) ?? emptyReport(webhook)
    this.#reports.set(webhook.id, known)
    known.webhook = webhook
    return known
  }

  #soon(): Promise<void> {
    this.#next ??= this.#running.then(() => this.#flush())
    return this.#next
  }

  #flush(): Promise<void> {
    const reports = [...this.#reports.values()]
    this.#reports = new Map()
    this.#next = null
    this.#running = this.#report(reports).catch(() => {})
    return this.#running
  }

  async #report(reports: readonly WebhookReport[]): Promise<void> {
    const notes = await Promise.all(reports.map(report => this.#noteOf(report)))
    await this.#writer.ask('webhook.note', { notes })
  }

  /** The owner sees the text of the last alert that was held back, although it was not sent. */
  async #noteOf({ webhook, heldHashes, held, ...report }: WebhookReport): Promise<TriggerNote> {
    const { rejected, seen, isHeard } = report
    const passed = [...report.passed.values()]
    const note = { webhookId: webhook.id, rejected, seen, passed, isHeard, held: null }
    const lastHeld = held.at(-1)
    if (lastHeld === undefined) return note
    const rendered = await Promise.all(held.map(one => this.#render(one.request, webhook, one.seen.address)))
    const { message = '', format = null, reading = null } = rendered.at(-1) ?? {}
    const read = keepReading(webhook, lastHeld.request, reading)
    const facts = rendered.map(factsOf)
    return {
      ...note,
      seen: seen.map(one => (one === lastHeld.seen ? { ...one, message, format, ...read } : one)),
      held: { count: heldHashes.size, text: message, requestHash: lastHeld.requestHash, facts },
    }
  }
}

function emptyReport(webhook: Webhook): WebhookReport {
  const none = { seen: [], passed: new Map(), heldHashes: new Set<string>(), held: [] }
  return { webhook, isHeard: false, rejected: 0, ...none }
}

/** The first refused alerts with a short body, and the last one. A repeat takes the place of the first. */
function withHeld(held: readonly HeldTrigger[], next: HeldTrigger): HeldTrigger[] {
  const others = held.filter(({ requestHash }) => Buffer.compare(requestHash, next.requestHash) !== 0)
  const isFull = others.length >= HELD_ALERTS_READ_MAX
  const isLong = (others.at(-1)?.request.body.length ?? 0) > HELD_BODY_BYTES_MAX
  return [...(isFull || isLong ? others.slice(0, -1) : others), next]
}

/** What an alert says, for texts about several. */
export function factsOf({ reading, state, severity, isUrgent }: RenderedAlert): AlertFacts {
  const { key = null, formerKey, subject = null, detail, things, isWhole } = reading ?? {}
  const more = { ...(formerKey && { formerKey }), ...(detail !== undefined && { detail }) }
  const group = { ...(things && { things }), ...(isWhole && { isWhole }) }
  return { key, subject, ...more, ...group, state, severity, isUrgent }
}
