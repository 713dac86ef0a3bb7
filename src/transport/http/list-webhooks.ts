import * as v from 'valibot'
import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { instant } from '#domain/time.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { Validation } from '#transport/http/body.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { AuthorizedCall } from '#transport/http/route.ts'

export const WebhookListQuery = v.object({
  lastAlert: noted(
    v.optional(v.picklist(['true', 'false'], 'must be true or false')),
    'Whether each webhook comes with the text of its last alert, `lastAlert`.',
    'true',
  ),
})

interface WebhookListPorts {
  readonly webhooks: WebhookReader
  readonly seenTriggers: SeenTriggerReader
  readonly wallMs: () => number
}

/** The account's webhooks, if asked for with what their last alerts read like. */
export function listWebhooks(
  { webhooks, seenTriggers, wallMs }: WebhookListPorts,
  { principal, rawQuery }: AuthorizedCall,
): WebhookResource[] {
  const validation = new Validation()
  const { lastAlert } = validation.complete(validation.parseQuery(WebhookListQuery, readQuery(rawQuery)))
  const at = { triggers: webhooks.triggers, wallMs: wallMs() }
  const lastOf = (id: string): WebhookResource['lastAlert'] => {
    const last = seenTriggers.lastText(id, at.wallMs - SEEN_TRIGGERS_KEPT_MS)
    return last === undefined ? null : { ...last, at: instant(last.at) }
  }
  return webhooks.list(principal.accountId).map(webhook => ({
    ...describeWebhook(webhook, at),
    ...(lastAlert === 'true' && { lastAlert: lastOf(webhook.id) }),
  }))
}
