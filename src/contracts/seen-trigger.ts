/** The history of a webhook's last triggers, as its owner can see it. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'
import { ALERT_FORMATS, type AlertFormat } from '#contracts/webhook.ts'

/**
 * The outcome of a trigger. `TRIGGERED`: texts were sent. `DUPLICATE`: a repetition, answered with the
 * messages of the first trigger. `FILTERED`: below `minSeverity`, or recovered while `sendRecovered` is off.
 * All others: refused.
 */
export const TRIGGER_OUTCOMES = [
  'TRIGGERED',
  'DUPLICATE',
  'FILTERED',
  'OVER_CAP',
  'OVER_QUOTA',
  'ADDRESS_NOT_ALLOWED',
  'NO_DEVICE',
] as const
export type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number]

export const SeenTriggerResource = v.object({
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
})
export type SeenTriggerResource = v.InferOutput<typeof SeenTriggerResource>

/** The answer to `GET /webhooks/{id}/triggers`. */
export const WebhookTriggers = v.object({
  triggers: noted(v.array(SeenTriggerResource), 'The last 20 triggers, newest first.'),
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
}

/** The beginning of a trigger's body, kept for the owner. `at`: milliseconds since 1970. */
export interface KeptBody {
  readonly at: number
  readonly contentType: string | null
  readonly text: string
}

/** Alerts that were refused because of `maxPerHour`; one text will sum them up. */
export interface HeldAlerts {
  readonly count: number
  /** Text and request hash of the last of these alerts. */
  readonly text: string
  readonly requestHash: Uint8Array
}

/** What a listener recorded about one webhook since its last report to the writer. */
export interface TriggerNote {
  readonly webhookId: string
  /** Number of triggers that the listener refused. */
  readonly rejected: number
  readonly held: HeldAlerts | null
  /** Oldest first. */
  readonly seen: readonly SeenTrigger[]
  readonly body: KeptBody | null
}
