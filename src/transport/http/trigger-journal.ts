import { SEEN_TRIGGERS_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { SeenTrigger, TriggerNote } from '#contracts/seen-trigger.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import { keepReading } from '#transport/http/keep-request.ts'
import type { RenderAlert } from '#transport/http/render-in-pool.ts'

/** Different refused alerts that a listener counts for a webhook between two reports to the writer. */
const HELD_ALERTS_MAX = 10_000
/** Requests kept in a report about a webhook. More come only in a storm, where the last are enough. */
const REQUESTS_MAX = 4

/** A trigger that a listener answered without the writer. */
export interface AnsweredTrigger {
  readonly seen: SeenTrigger
  readonly isRejected: boolean
  /** The alert, for the summary, if it was refused because of `maxPerHour`; null: it was not. */
  readonly held: { readonly request: TriggerRequest; readonly requestHash: Uint8Array } | null
}

interface WebhookReport {
  webhook: Webhook
  rejected: number
  seen: SeenTrigger[]
  /** Hashes of refused requests, so that a repeated request counts once. */
  readonly heldHashes: Set<string>
  lastHeld: HeldTrigger | null
}

interface HeldTrigger extends NonNullable<AnsweredTrigger['held']> {
  readonly seen: SeenTrigger
}

/**
 * Reports to the writer the triggers that the listener answered itself. Only one report runs at a time.
 * Triggers that arrive during it wait for the next report. So a storm of refused triggers costs the writer
 * little, and only the last refused alert is rendered.
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

  /** Adds a trigger to the next report. Resolves when the report is committed or has failed. */
  note(webhook: Webhook, { seen, isRejected, held }: AnsweredTrigger): Promise<void> {
    const known = this.#reports.get(webhook.id) ?? emptyReport(webhook)
    this.#reports.set(webhook.id, known)
    known.webhook = webhook
    if (isRejected) known.rejected += 1
    known.seen.push(seen)
    if (known.seen.length > SEEN_TRIGGERS_MAX) known.seen.shift()
    const old = known.seen.at(-1 - REQUESTS_MAX)
    if (old !== undefined) known.seen[known.seen.indexOf(old)] = { ...old, kept: null }
    if (held !== null && webhook.summarizeOverflow) {
      if (known.heldHashes.size < HELD_ALERTS_MAX)
        known.heldHashes.add(Buffer.from(held.requestHash).toString('latin1'))
      known.lastHeld = { ...held, seen }
    }
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
  async #noteOf({ webhook, heldHashes, lastHeld, ...report }: WebhookReport): Promise<TriggerNote> {
    const { rejected, seen } = report
    const note = { webhookId: webhook.id, rejected, seen, held: null }
    if (lastHeld === null) return note
    const { message, format, reading } = await this.#render(lastHeld.request, webhook)
    const read = keepReading(webhook, lastHeld.request, reading)
    return {
      ...note,
      seen: seen.map(one => (one === lastHeld.seen ? { ...one, message, format, ...read } : one)),
      held: { count: heldHashes.size, text: message, requestHash: lastHeld.requestHash },
    }
  }
}

function emptyReport(webhook: Webhook): WebhookReport {
  return { webhook, rejected: 0, seen: [], heldHashes: new Set(), lastHeld: null }
}
