import * as v from 'valibot'
import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import {
  CreateWebhookRequest,
  RemovedWebhook,
  UpdateWebhookRequest,
  WebhookResource,
} from '#contracts/webhook.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { existing } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { findHearerIssues } from '#domain/webhook/manage-webhook.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { PHONE_NUMBER, TIME, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import { referenceAs, referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import { changeWithTarget, checkTarget, withTarget } from '#transport/http/read-target.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { checkFields, withReadRecipients } from '#transport/http/webhook-fields.ts'

const WebhookListQuery = v.object({
  lastAlert: noted(
    v.optional(v.picklist(['true', 'false'], 'must be true or false')),
    'Whether each webhook comes with the text of its last alert, `lastAlert`.',
    'true',
  ),
})

type WebhookPorts = Pick<
  RoutePorts,
  'writer' | 'webhooks' | 'seenTriggers' | 'onCall' | 'numbers' | 'defaultCountry' | 'wallMs'
>

const WEBHOOK = {
  id: WEBHOOK_ID,
  name: 'Uptime monitor',
  recipients: [PHONE_NUMBER],
  people: [],
  maxPerHour: 20,
  messageTemplate: null,
  allowedIps: ['192.168.1.0/24'],
  deviceId: null,
  deviceGroupId: null,
  policyId: null,
  enabled: true,
  minSeverity: null,
  sendRecovered: true,
  summarizeOverflow: true,
  keepLastBody: true,
  gather: false,
  silentAfterMinutes: null,
  createdAt: TIME,
  updatedAt: TIME,
  token: null,
  url: null,
  mailAddress: null,
  tokenHint: 'k3Zp',
  usage: { thisHour: 1, today: 3, total: 240, rejected: 0, guessed: 1, lastTriggeredAt: TIME },
}
const SECRETS = {
  token: 'TOKEN_k3Zp',
  url: '/api/v1/webhook/TOKEN_k3Zp',
  mailAddress: '3f1c…@roost.local',
}

const OF_ID = 'Id of the webhook, from the list of webhooks.'
/** The parameter of the paths below a webhook. */
export const OF_WEBHOOK = { id: { description: OF_ID, example: WEBHOOK_ID } }

/** Routes to manage the account's webhooks. The routes that trigger webhooks are in `trigger.ts`. */
export function webhookRoutes(ports: WebhookPorts): Route[] {
  const { writer, webhooks, wallMs } = ports
  const routes = resourceRoutes({
    path: '/api/v1/webhooks',
    tag: 'webhooks',
    named: ['Webhook', 'Webhooks'],
    word: 'webhook',
    ofId: OF_ID,
    words: {
      list: [
        'List webhooks with their counters',
        'The secret addresses are not shown again; `tokenHint` holds the last four characters of the token.',
      ],
      get: [
        'A webhook with its counters',
        'The webhook with its counters: of the last 60 minutes, of the day, and since its creation. 404: ' +
          'the account has no webhook with this id.',
      ],
      create: [
        'Make a webhook; its secret address is in this answer only',
        '`token` and `url` are shown in this answer only. 404: the account has no phone with this ' +
          '`deviceId`, no group of phones with this `deviceGroupId`, or no policy with this ' +
          '`policyId`. 400 also names an entry of `people` that is nobody of the account. 409: the account ' +
          'has 200 webhooks; delete one first.',
      ],
      update: [
        'Change a webhook',
        'Fields that are left out stay unchanged. The change applies from the next trigger on.',
      ],
      remove: [
        'Remove a webhook',
        'The address of the webhook answers 404 as soon as this call is answered.',
      ],
    },
    schemas: {
      create: CreateWebhookRequest,
      update: UpdateWebhookRequest,
      item: WebhookResource,
      removed: RemovedWebhook,
    },
    example: [
      { name: 'Uptime monitor', recipients: [PHONE_NUMBER], allowedIps: ['192.168.1.0/24'] },
      WEBHOOK,
      { maxPerHour: 60, enabled: false },
      SECRETS,
    ],
    problems: { create: [404] },
    rows: webhooks,
    show: webhook => describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: wallMs() }),
    listed: { query: WebhookListQuery, list: call => listWebhooks(ports, call) },
    create: call => {
      const { accountId } = call.principal
      return writer.ask('webhook.create', { accountId, fields: readCreation(ports, call) }, call.by)
    },
    update: call => {
      const known = existing(webhooks, referenceOf(call), 'webhook')
      const change = changeWithTarget(readChange(ports, call, known), known.deviceId)
      return writer.ask('webhook.update', { ...referenceAs('webhookId', call), change }, call.by)
    },
    remove: call => writer.ask('webhook.remove', referenceAs('webhookId', call), call.by),
  })
  return [...routes, ...knownRoutes({ tag: 'webhooks', role: 'operator' }, [rotateRoute(ports)])]
}

function rotateRoute({ writer }: WebhookPorts): KnownRoute {
  return {
    method: 'post',
    path: '/api/v1/webhooks/{id}/rotate',
    operation: {
      id: 'rotateWebhook',
      summary: 'Give a webhook a new secret address; the old one stops working at once',
      description: 'The answer holds the new `token` and `url`, which are shown only here.',
      parameters: OF_WEBHOOK,
      response: WebhookResource,
      example: { data: { ...WEBHOOK, ...SECRETS } },
    },
    handle: async call => ({
      data: await writer.ask('webhook.rotate', referenceAs('webhookId', call), call.by),
    }),
  }
}

/** Stands for recipients that the schema refuses. */
const NOT_READ = { recipients: [null], people: [], policyId: null }

function readCreation(ports: WebhookPorts, call: AuthorizedCall): WebhookFields {
  const validation = new Validation()
  const json = withReadRecipients(ports, call.json)
  const parsed = validation.parse(CreateWebhookRequest, json)
  const recipients = checkFields(ports, json, validation)
  const right = rightFields(CreateWebhookRequest, json)
  checkTarget(validation, right)
  const hearers = { ...NOT_READ, ...right }
  validation.addAll(findHearerIssues(ports.onCall, call.principal.accountId, hearers))
  const { maxPerHour, allowedIps, enabled, ...fields } = validation.complete(parsed)
  if (maxPerHour === null || allowedIps === null || enabled === null)
    throw new Error('a field is null, although the schema replaces null by a default')
  return {
    ...withTarget(fields),
    maxPerHour,
    allowedIps,
    enabled,
    recipients: recipients ?? [],
    messageTemplate: templateOf(fields.messageTemplate),
  }
}

function readChange(ports: WebhookPorts, call: AuthorizedCall, known: Webhook) {
  const validation = new Validation()
  const json = withReadRecipients(ports, call.json)
  const parsed = validation.parse(UpdateWebhookRequest, json)
  const recipients = checkFields(ports, json, validation)
  const right = rightFields(UpdateWebhookRequest, json)
  checkTarget(validation, right)
  const hearers = { ...known, ...right }
  validation.addAll(findHearerIssues(ports.onCall, call.principal.accountId, hearers))
  const { recipients: written, messageTemplate, ...change } = validation.complete(parsed)
  return {
    ...withoutUndefined(change),
    ...(written !== undefined && { recipients: recipients ?? [] }),
    ...(messageTemplate !== undefined && { messageTemplate: templateOf(messageTemplate) }),
  }
}

/** An empty template means no template. */
function templateOf(template: string | null): string | null {
  return template?.trim() === '' ? null : template
}

/** The account's webhooks, if asked for with what their last alerts read like. */
function listWebhooks(
  { webhooks, seenTriggers, wallMs }: WebhookPorts,
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
