import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import {
  type ListedTriggerResource,
  SeenTriggerDetail,
  type StoredTrigger,
  WebhookTriggers,
} from '#contracts/seen-trigger.ts'
import { choicesOf } from '#domain/alert/describe-reading.ts'
import { existing, notFound } from '#domain/problem.ts'
import { describeTrigger } from '#domain/webhook/describe-webhook.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
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

const CHOICES = { thing: ['monitor'], state: ['status'], reason: [] }

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
          'The newest first, kept for seven days. The newest of each shape that was guessed and is not ' +
          'settled has `unsettled` and `choices`. `lastBody` is null if `keepLastBody` of the webhook is ' +
          'false.',
        parameters: OF_WEBHOOK,
        response: WebhookTriggers,
        example: {
          data: {
            triggers: [{ ...SEEN, unsettled: true, choices: CHOICES }],
            lastBody: BODY,
            lastContentType: 'application/json',
          },
        },
      },
      handle(call) {
        const { triggers, readings } = listTriggers(ports, call)
        const last = triggers.find(({ kept }) => kept !== null)?.kept
        const [lastBody, lastContentType] = [last?.body ?? null, last?.contentType ?? null]
        return { data: { triggers: describeTriggers(triggers, readings), lastBody, lastContentType } }
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
        const found = listTriggers(ports, call).triggers.find(({ seq }) => String(seq) === call.parameters[1])
        if (found === undefined) throw notFound('trigger')
        const { body = null, contentType = null, headers = {} } = found.kept ?? {}
        return { data: { ...describeTrigger(found), body, contentType, headers } }
      },
    },
  ])
}

function listTriggers({ webhooks, seenTriggers, wallMs }: SeenTriggerPorts, call: AuthorizedCall) {
  const { id, readings } = existing(webhooks, referenceOf(call), 'webhook')
  return { triggers: seenTriggers.list(id, wallMs() - SEEN_TRIGGERS_KEPT_MS), readings }
}

/**
 * The triggers of a list, the newest first. The newest of each shape that was guessed and is not settled asks
 * for it.
 */
function describeTriggers(
  triggers: readonly StoredTrigger[],
  readings: Webhook['readings'],
): ListedTriggerResource[] {
  const shapes = new Set<string | null>(Object.keys(readings))
  return triggers.map(trigger => {
    const { guess, format, shape } = trigger
    const isAsked = guess && format !== 'template' && !shapes.has(shape)
    shapes.add(shape)
    const shown = describeTrigger(trigger)
    return isAsked ? { ...shown, unsettled: true, choices: choicesOf(shown.fields) } : shown
  })
}
