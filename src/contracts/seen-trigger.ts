/** The history of a webhook's last triggers, as its owner can see it. */
import * as v from 'valibot'
import {
  type AlertFacts,
  type AlertField,
  CHOICES_MAX,
  ReadingChoices,
  ReadingShape,
  readingEntries,
  SHAPE_NOTE,
} from '#contracts/alert-reading.ts'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'
import { ALERT_FORMATS, type AlertFormat } from '#contracts/webhook.ts'

/**
 * The outcome of a trigger. `TRIGGERED`: texts were sent. `DUPLICATE`: a repetition, answered with the
 * messages of the first trigger. `FILTERED`: below `minSeverity`, or recovered while `sendRecovered` is off.
 * `GATHERED`: told later, in one text with others.
 * All others: refused.
 */
export const TRIGGER_OUTCOMES = [
  'TRIGGERED',
  'DUPLICATE',
  'FILTERED',
  'GATHERED',
  'OVER_CAP',
  'OVER_QUOTA',
  'ADDRESS_NOT_ALLOWED',
  'NO_DEVICE',
] as const
export type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number]

export const SeenTriggerResource = v.object({
  seq: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'Number of the trigger, for `GET /webhooks/{id}/triggers/{seq}`.',
  ),
  at: noted(Instant, 'When the trigger came.'),
  address: noted(v.string(), 'IP address of the sender.'),
  outcome: noted(v.picklist(TRIGGER_OUTCOMES), 'What the gateway did with the trigger.'),
  format: noted(
    v.nullable(v.picklist(ALERT_FORMATS)),
    'The detected sender; null: the trigger was refused before its body was read.',
  ),
  message: noted(
    v.nullable(v.string()),
    'The text made from the alert, also if it was not sent; null: no text was made.',
  ),
  ...readingEntries,
  shape: noted(v.nullable(ReadingShape), `${SHAPE_NOTE} Null: the body was not read.`),
})
export type SeenTriggerResource = v.InferOutput<typeof SeenTriggerResource>

/** A trigger with its request, as `GET /webhooks/{id}/triggers/{seq}` answers it. */
export const SeenTriggerDetail = v.object({
  ...SeenTriggerResource.entries,
  body: noted(
    v.nullable(v.string()),
    'The beginning of the body (for a GET, of its query), at most 16 KiB; null: it is not kept.',
  ),
  contentType: noted(
    v.nullable(v.string()),
    'The Content-Type of `body`; null: the request had none, or no body is kept.',
  ),
  headers: noted(
    v.record(v.string(), v.string()),
    'The headers that may describe the alert, by name in lower case.',
  ),
})
export type SeenTriggerDetail = v.InferOutput<typeof SeenTriggerDetail>

/** A trigger in the list, which asks whether Roost has guessed right. */
export const ListedTriggerResource = v.object({
  ...SeenTriggerResource.entries,
  unsettled: v.optional(
    noted(
      v.boolean(),
      'True for the newest trigger of a shape that was guessed and that the owner has not settled.',
    ),
  ),
  choices: v.optional(
    noted(ReadingChoices, `Beside \`unsettled\`: up to ${CHOICES_MAX} paths for each role, the best first.`),
  ),
})
export type ListedTriggerResource = v.InferOutput<typeof ListedTriggerResource>

/** The answer to `GET /webhooks/{id}/triggers`. */
export const WebhookTriggers = v.object({
  triggers: noted(v.array(ListedTriggerResource), 'The last 20 triggers, newest first.'),
  lastBody: noted(
    v.nullable(v.string()),
    'The beginning of the last body (for a GET, of its query), at most 16 KiB; null: none is kept.',
  ),
  lastContentType: noted(
    v.nullable(v.string()),
    'The Content-Type of `lastBody`; null: the request had none, or no body is kept.',
  ),
})
export type WebhookTriggers = v.InferOutput<typeof WebhookTriggers>

export interface SeenTrigger {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly address: string
  readonly outcome: TriggerOutcome
  readonly format: AlertFormat | null
  readonly message: string | null
  readonly guess: boolean
  readonly shape: string | null
  /** Null: the webhook keeps no bodies, or newer ones took the room. */
  readonly kept: KeptRequest | null
}

/** What is kept of a trigger's request for the owner. */
export interface KeptRequest {
  readonly contentType: string | null
  /** The beginning of the body. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly fields: readonly AlertField[]
  readonly confirmationUrl: string | null
}

/** A trigger as it is stored. */
export interface StoredTrigger extends SeenTrigger {
  readonly seq: number
}

/** Alerts that were refused because of `maxPerHour`; one text will sum them up. */
export interface HeldAlerts {
  readonly count: number
  /** Text and request hash of the last of these alerts. */
  readonly text: string
  readonly requestHash: Uint8Array
}

/** Alerts that were refused just now. */
export interface RefusedAlerts extends HeldAlerts {
  /** Those that were read, oldest first. */
  readonly facts: readonly AlertFacts[]
}

/** A request that was read, and that sent no text of its own. */
export interface PassedRequest {
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly requestHash: Uint8Array
  /** What it is about; null: unknown. */
  readonly thing: string | null
}

/** What a listener recorded about one webhook since its last report to the writer. */
export interface TriggerNote {
  readonly webhookId: string
  /** Number of triggers that the listener refused. */
  readonly rejected: number
  /** Whether anything came that was allowed to, even if it sends no text. */
  readonly isHeard: boolean
  readonly held: RefusedAlerts | null
  /** Oldest first. */
  readonly seen: readonly SeenTrigger[]
  readonly passed?: readonly PassedRequest[]
}
