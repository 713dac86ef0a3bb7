import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import { type SeenTriggerResource, WebhookTriggers } from '#contracts/seen-trigger.ts'
import { notFound } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import type { Route } from '#transport/http/route.ts'
import { OF_WEBHOOK } from '#transport/http/routes/webhooks.ts'

export interface SeenTriggerPorts {
  readonly webhooks: WebhookReader
  readonly seenTriggers: SeenTriggerReader
  readonly wallMs: () => number
}

const SEEN = {
  at: TIME,
  address: '10.0.0.20',
  outcome: 'TRIGGERED',
  format: 'generic',
  message: 'DOWN nas: no answer for 60 s',
}

/** The route of a webhook's trigger history, which shows for example why no text was sent. */
export function seenTriggerRoutes({ webhooks, seenTriggers, wallMs }: SeenTriggerPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}/triggers',
      access: 'account',
      body: 'none',
      operation: {
        id: 'listTriggers',
        tag: 'webhooks',
        summary: 'The last triggers of a webhook, and the last body',
        description:
          'The newest first, kept for seven days. `lastBody` is null if `keepLastBody` of the webhook is ' +
          'false.',
        parameters: OF_WEBHOOK,
        response: WebhookTriggers,
        problems: [401, 404, 429, 503],
        example: {
          data: {
            triggers: [SEEN],
            lastBody: '{"status":"down","monitor":"nas"}',
            lastContentType: 'application/json',
          },
        },
      },
      handle({ principal, parameters }) {
        const webhook = webhooks.find(principal.accountId, parameters[0] ?? '')
        if (webhook === undefined) throw notFound('webhook')
        const since = wallMs() - SEEN_TRIGGERS_KEPT_MS
        const body = seenTriggers.lastBody(webhook.id, since)
        const triggers = seenTriggers
          .list(webhook.id, since)
          .map((seen): SeenTriggerResource => ({ ...seen, at: instant(seen.at) }))
        const lastBody = body?.text ?? null
        return { data: { triggers, lastBody, lastContentType: body?.contentType ?? null } }
      },
    },
  ]
}
