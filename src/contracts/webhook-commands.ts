/** The writer's commands for webhooks. */
import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { OwnedCommands } from '#contracts/owned.ts'
import type { Encoding } from '#contracts/primitives.ts'
import type { KeptRequest, TriggerNote } from '#contracts/seen-trigger.ts'
import type { AlertFormat, AlertSeverity, TriggeredResource, WebhookResource } from '#contracts/webhook.ts'

/** A recipient of alerts or alarms. */
export interface Recipient {
  /** E.164. */
  readonly phoneNumber: string
  /** As in `AcceptMessage`. */
  readonly country: string | null
  /** The person with this number, if the webhook names that person, too. Not stored. */
  readonly personId?: string
}

/** The settings of a webhook. */
export interface WebhookFields {
  readonly name: string
  readonly recipients: readonly Recipient[]
  /** Ids of people and groups, each once. They get the texts, too. */
  readonly people: readonly string[]
  /** Triggers accepted in any 60 minutes. Comments call this the cap of the webhook. */
  readonly maxPerHour: number
  readonly messageTemplate: string | null
  readonly allowedIps: readonly string[]
  /** A phone or a group of phones. */
  readonly deviceId: string | null
  readonly enabled: boolean
  /** Milder alerts send no text; null: all alerts do. */
  readonly minSeverity: AlertSeverity | null
  readonly sendRecovered: boolean
  readonly summarizeOverflow: boolean
  readonly keepLastBody: boolean
  /** Whether alerts that come quickly one after another are told in one text. */
  readonly gather: boolean
  /** After so many minutes without a request, recipients are told. Null: silence is not watched. */
  readonly silentAfterMinutes: number | null
  /** The policy by which alerts become incidents; null: none. Without one, there are recipients or people. */
  readonly policyId: string | null
}

export interface WebhookReference {
  readonly accountId: string
  readonly webhookId: string
}

/** A rendered alert that a listener admitted. The writer checks the limits again: they may have changed. */
export interface TriggerWebhook {
  /** SHA-256 of the token in the path. */
  readonly tokenHash: Uint8Array
  /** SHA-256 of the request; the same hash within `TRIGGER_REPEAT_MS` is a repetition by the sender. */
  readonly requestHash: Uint8Array
  /** What makes the mail that it came by; null or absent: nothing that is known again. */
  readonly mailHash?: Uint8Array | null
  readonly text: string
  readonly segments: number
  readonly encoding: Encoding
  readonly format: AlertFormat
  readonly facts: AlertFacts
  /** IP address of the sender. */
  readonly address: string
  readonly guess: boolean
  readonly shape: string | null
  /** The request to keep for the owner; null: `keepLastBody` is off. */
  readonly kept: KeptRequest | null
  /** When its texts shall leave, wall-clock milliseconds; null or absent: at once. */
  readonly sendAt?: number | null
}

export interface WebhookCommands
  extends OwnedCommands<'webhook', WebhookFields, WebhookResource, WebhookReference> {
  'webhook.rotate': { input: WebhookReference; output: WebhookResource }
  'webhook.remove': { input: WebhookReference; output: { readonly id: string } }
  'webhook.trigger': { input: TriggerWebhook; output: TriggeredResource }
  'webhook.test': { input: WebhookReference & Omit<TriggerWebhook, 'tokenHash'>; output: TriggeredResource }
  /** Triggers that a listener answered without `webhook.trigger`, for the webhook's history and counters. */
  'webhook.note': { input: { readonly notes: readonly TriggerNote[] }; output: null }
}
