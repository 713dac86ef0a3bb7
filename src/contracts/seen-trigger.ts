/** What the owner of a webhook can see of its last triggers. */
import * as v from 'valibot'
import { Instant } from '#contracts/primitives.ts'
import { ALERT_FORMATS, type AlertFormat } from '#contracts/webhook.ts'

/**
 * What a trigger led to. `TRIGGERED`: texts. `DUPLICATE`: the first messages again. `FILTERED`: too mild, or
 * over. `OVER_CAP`, `OVER_QUOTA`, `ADDRESS_NOT_ALLOWED`, `NO_DEVICE`: refused.
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
  at: Instant,
  /** Of the sender. */
  address: v.string(),
  outcome: v.picklist(TRIGGER_OUTCOMES),
  /** Null when the trigger was refused before it was read. */
  format: v.nullable(v.picklist(ALERT_FORMATS)),
  message: v.nullable(v.string()),
})
export type SeenTriggerResource = v.InferOutput<typeof SeenTriggerResource>

/** The answer to `GET /webhooks/{id}/triggers`. */
export const WebhookTriggers = v.object({
  /** Newest first. */
  triggers: v.array(SeenTriggerResource),
  /** Of the last trigger that had one, cut; null: none is kept. */
  lastBody: v.nullable(v.string()),
  lastContentType: v.nullable(v.string()),
})
export type WebhookTriggers = v.InferOutput<typeof WebhookTriggers>

export interface SeenTrigger {
  /** Wall clock. */
  readonly at: number
  readonly address: string
  readonly outcome: TriggerOutcome
  readonly format: AlertFormat | null
  readonly message: string | null
}

/** The beginning of a body. */
export interface KeptBody {
  readonly at: number
  readonly contentType: string | null
  readonly text: string
}

/** Alerts that the cap refused. */
export interface HeldAlerts {
  readonly count: number
  /** Text and request of the last one. */
  readonly text: string
  readonly requestHash: Uint8Array
}

/** What a listener saw at one webhook. */
export interface TriggerNote {
  readonly webhookId: string
  /** Triggers that it refused. */
  readonly rejected: number
  readonly held: HeldAlerts | null
  /** Oldest first. */
  readonly seen: readonly SeenTrigger[]
  readonly body: KeptBody | null
}
