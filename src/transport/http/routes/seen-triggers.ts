import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import { SeenTriggerDetail, type StoredTrigger, WebhookTriggers } from '#contracts/seen-trigger.ts'
import { existing, notFound } from '#domain/problem.ts'
import { describeTrigger } from '#domain/webhook/describe-webhook.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { READ, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { OF_WEBHOOK } from '#transport/http/routes/webhooks.ts'

type SeenTriggerPorts = Pick<RoutePorts, 'webhooks' | 'seenTriggers' | 'wallMs'>

const BODY = '{"status":"down","monitor":"nas"}'
const SEEN = {
  seq: 812,
  at: TIME,
  address: '10.0.0.20',
  outcome: 'TRIGGERED',
  format: 'generic',
  message: 'DOWN nas: no answer for 60 s',
  ...READ,
}

/** The routes of a webhook's trigger history, which shows for example why no text was sent. */
export function seenTriggerRoutes(ports: SeenTriggerPorts): Route[] {
  return knownRoutes({ tag: 'webhooks', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}/triggers',
      operation: {
        id: 'listTriggers',
        summary: 'The last triggers of a webhook, and the last body',
        description:
          'The newest first, kept for seven days. `lastBody` is null if `keepLastBody` of the webhook is ' +
          'false.',
        parameters: OF_WEBHOOK,
        response: WebhookTriggers,
        example: {
          data: { triggers: [SEEN], lastBody: BODY, lastContentType: 'application/json' },
        },
      },
      handle(call) {
        const triggers = listTriggers(ports, call)
        const last = triggers.find(({ kept }) => kept !== null)?.kept
        const [lastBody, lastContentType] = [last?.body ?? null, last?.contentType ?? null]
        return { data: { triggers: triggers.map(describeTrigger), lastBody, lastContentType } }
      },
    },
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}/triggers/{seq}',
      operation: {
        id: 'getTrigger',
        summary: 'A trigger with its body and the headers that matter',
        description:
          'A trigger of the list, kept for seven days. `body` is null if `keepLastBody` of the webhook is ' +
          'false, or if newer requests took the room: a webhook keeps 256 KiB.',
        parameters: {
          ...OF_WEBHOOK,
          seq: { description: 'Number of the trigger, from the list of triggers.', example: '812' },
        },
        response: SeenTriggerDetail,
        example: {
          data: { ...SEEN, body: BODY, contentType: 'application/json', headers: { title: 'nas' } },
        },
      },
      handle(call) {
        const found = listTriggers(ports, call).find(({ seq }) => String(seq) === call.parameters[1])
        if (found === undefined) throw notFound('trigger')
        const { body = null, contentType = null, headers = {} } = found.kept ?? {}
        return { data: { ...describeTrigger(found), body, contentType, headers } }
      },
    },
  ])
}

function listTriggers(
  { webhooks, seenTriggers, wallMs }: SeenTriggerPorts,
  call: AuthorizedCall,
): readonly StoredTrigger[] {
  const { id } = existing(webhooks, referenceOf(call), 'webhook')
  return seenTriggers.list(id, wallMs() - SEEN_TRIGGERS_KEPT_MS)
}
