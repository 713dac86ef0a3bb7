import type { ReadingResource, StoredReading } from '#contracts/alert-reading.ts'
import { WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import { targetFields } from '#contracts/device-group.ts'
import type { SeenTriggerResource, StoredTrigger } from '#contracts/seen-trigger.ts'
import type { TriggeredResource, WebhookResource } from '#contracts/webhook.ts'
import type { Message } from '#domain/message/message.ts'
import { dayOf, instant, instantOrNull } from '#domain/time.ts'
import { GUESSES_KEPT_DAYS, guessedSince, type Webhook } from '#domain/webhook/webhook.ts'
import type { TriggerLog } from '#domain/webhook/webhook-store.ts'

/** What only the answer that makes a token contains. */
export type WebhookSecrets = Record<'token' | 'mailAddress', string>

/** The webhook as the API shows it. */
export function describeWebhook(
  webhook: Webhook,
  at: { readonly triggers: TriggerLog; readonly wallMs: number },
  secrets: WebhookSecrets | null = null,
): WebhookResource {
  const { counters } = webhook
  const span = { since: at.wallMs - WEBHOOK_WINDOW_MS, until: at.wallMs }
  return {
    id: webhook.id,
    name: webhook.name,
    recipients: webhook.recipients.map(({ phoneNumber }) => phoneNumber),
    people: [...webhook.people],
    maxPerHour: webhook.maxPerHour,
    messageTemplate: webhook.messageTemplate,
    allowedIps: [...webhook.allowedIps],
    ...targetFields(webhook.deviceId),
    policyId: webhook.policyId,
    enabled: webhook.enabled,
    minSeverity: webhook.minSeverity,
    sendRecovered: webhook.sendRecovered,
    summarizeOverflow: webhook.summarizeOverflow,
    keepLastBody: webhook.keepLastBody,
    gather: webhook.gather,
    silentAfterMinutes: webhook.silentAfterMinutes,
    createdAt: instant(webhook.createdAt),
    updatedAt: instant(webhook.updatedAt),
    token: secrets?.token ?? null,
    url: secrets === null ? null : `/api/v1/webhook/${secrets.token}`,
    mailAddress: secrets?.mailAddress ?? null,
    tokenHint: webhook.tokenHint,
    usage: {
      thisHour: at.triggers.count(webhook.id, span),
      today: counters.day === dayOf(at.wallMs) ? counters.onDay : 0,
      total: counters.total,
      rejected: counters.rejected,
      guessed: guessedSince(counters, dayOf(at.wallMs) - GUESSES_KEPT_DAYS),
      lastTriggeredAt: instantOrNull(counters.lastTriggeredAt),
    },
  }
}

export function describeReading(shape: string, reading: StoredReading): ReadingResource {
  const { thing = null, state = null, reason = null, over, match = [], at } = reading
  return { shape, match: [...match], thing, state, reason, over: [...(over ?? [])], settledAt: instant(at) }
}

export function describeTrigger({ kept, at, ...seen }: StoredTrigger): SeenTriggerResource {
  const { fields = [], confirmationUrl = null } = kept ?? {}
  return { ...seen, at: instant(at), fields: [...fields], confirmationUrl }
}

/** The answer to a repeated trigger: the messages and the incident of the first one. */
export function describeRepeated(messages: readonly Message[], incidentId: string | null): TriggeredResource {
  return {
    triggered: true,
    reason: null,
    duplicate: true,
    gathered: false,
    message: messages[0]?.text || null,
    messages: messages.map(({ id, phoneNumber, status }) => ({ messageId: id, phoneNumber, status })),
    incidentId,
  }
}
