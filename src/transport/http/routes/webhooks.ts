import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  CreateWebhookRequest,
  RemovedWebhook,
  UpdateWebhookRequest,
  WebhookResource,
} from '#contracts/webhook.ts'
import type { WebhookFields, WebhookReference } from '#contracts/webhook-commands.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { notFound } from '#domain/problem.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { findHearerIssues } from '#domain/webhook/manage-webhook.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { listWebhooks, WebhookListQuery } from '#transport/http/list-webhooks.ts'
import { PHONE_NUMBER, TIME, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import { withoutUndefined } from '#transport/http/read-change.ts'
import { changeWithTarget, checkTarget, withTarget } from '#transport/http/read-target.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import { checkFields, withReadRecipients } from '#transport/http/webhook-fields.ts'

export interface WebhookPorts {
  readonly writer: Writer
  readonly webhooks: WebhookReader
  readonly seenTriggers: SeenTriggerReader
  readonly onCall: Pick<OnCallRows, 'person' | 'group'>
  readonly numbers: PhoneNumberCache
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  readonly wallMs: () => number
}

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
const WITH_TOKEN = {
  ...WEBHOOK,
  token: 'TOKEN_k3Zp',
  url: '/api/v1/webhook/TOKEN_k3Zp',
  mailAddress: '3f1c…@roost.local',
}

/** The parameter of the paths below a webhook. */
export const OF_WEBHOOK = {
  id: { description: 'Id of the webhook, from the list of webhooks.', example: WEBHOOK_ID },
}

/** Routes to manage the account's webhooks. The routes that trigger webhooks are in `trigger.ts`. */
export function webhookRoutes(ports: WebhookPorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports)]
}

function readingRoutes(ports: WebhookPorts): Route[] {
  const { webhooks, wallMs } = ports
  return [
    {
      method: 'get',
      path: '/api/v1/webhooks',
      access: 'account',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'listWebhooks',
        tag: 'webhooks',
        summary: 'List webhooks with their counters',
        description:
          'The secret addresses are not shown again; `tokenHint` holds the last four characters of the ' +
          'token.',
        query: WebhookListQuery,
        response: v.array(WebhookResource),
        problems: [400, 401, 429, 503],
        example: { data: [WEBHOOK] },
      },
      handle: call => ({ data: listWebhooks(ports, call) }),
    },
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'getWebhook',
        tag: 'webhooks',
        summary: 'A webhook with its counters',
        description:
          'The webhook with its counters: of the last 60 minutes, of the day, and since its creation. 404: ' +
          'the account has no webhook with this id.',
        parameters: OF_WEBHOOK,
        response: WebhookResource,
        problems: [401, 404, 429, 503],
        example: { data: WEBHOOK },
      },
      handle({ principal, parameters }) {
        const webhook = webhooks.find(principal.accountId, parameters[0] ?? '')
        if (webhook === undefined) throw notFound('webhook')
        return { data: describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: wallMs() }) }
      },
    },
  ]
}

function changingRoutes(ports: WebhookPorts): Route[] {
  const { writer } = ports
  return [
    createRoute(ports),
    {
      method: 'patch',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'updateWebhook',
        tag: 'webhooks',
        summary: 'Change a webhook',
        description: 'Fields that are left out stay unchanged. The change applies from the next trigger on.',
        parameters: OF_WEBHOOK,
        request: UpdateWebhookRequest,
        response: WebhookResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: {
          request: { maxPerHour: 60, enabled: false },
          data: { ...WEBHOOK, maxPerHour: 60, enabled: false },
        },
      },
      handle: async call => {
        const which = reference(call)
        const known = ports.webhooks.find(which.accountId, which.webhookId)
        if (known === undefined) throw notFound('webhook')
        const change = changeWithTarget(readChange(ports, call, known), known.deviceId)
        return { data: await writer.ask('webhook.update', { ...which, change }, call.by) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      role: 'operator',
      body: 'none',
      operation: {
        id: 'deleteWebhook',
        tag: 'webhooks',
        summary: 'Remove a webhook',
        description: 'The address of the webhook answers 404 as soon as this call is answered.',
        parameters: OF_WEBHOOK,
        response: RemovedWebhook,
        problems: [401, 404, 429, 503],
        example: { data: { id: WEBHOOK_ID } },
      },
      handle: async call => ({ data: await writer.ask('webhook.remove', reference(call), call.by) }),
    },
    rotateRoute(ports),
  ]
}

function createRoute(ports: WebhookPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/webhooks',
    access: 'account',
    role: 'operator',
    body: 'json',
    operation: {
      id: 'createWebhook',
      tag: 'webhooks',
      summary: 'Make a webhook; its secret address is in this answer only',
      description:
        '`token` and `url` are shown in this answer only. 404: the account has no phone with this ' +
        '`deviceId`, no group of phones with this `deviceGroupId`, or no policy with this ' +
        '`policyId`. 400 also names an entry of `people` that is nobody of the account. 409: the account ' +
        'has 200 webhooks; delete one first.',
      request: CreateWebhookRequest,
      response: WebhookResource,
      problems: [400, 401, 404, 409, 413, 415, 429, 503],
      example: {
        request: { name: 'Uptime monitor', recipients: [PHONE_NUMBER], allowedIps: ['192.168.1.0/24'] },
        data: WITH_TOKEN,
      },
    },
    handle: async call => ({
      data: await ports.writer.ask(
        'webhook.create',
        {
          accountId: call.principal.accountId,
          fields: readCreation(ports, call),
        },
        call.by,
      ),
    }),
  }
}

function rotateRoute({ writer }: WebhookPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/webhooks/{id}/rotate',
    access: 'account',
    role: 'operator',
    body: 'none',
    operation: {
      id: 'rotateWebhook',
      tag: 'webhooks',
      summary: 'Give a webhook a new secret address; the old one stops working at once',
      description: 'The answer holds the new `token` and `url`, which are shown only here.',
      parameters: OF_WEBHOOK,
      response: WebhookResource,
      problems: [401, 404, 429, 503],
      example: { data: WITH_TOKEN },
    },
    handle: async call => ({ data: await writer.ask('webhook.rotate', reference(call), call.by) }),
  }
}

function reference({ principal, parameters }: AuthorizedCall): WebhookReference {
  return { accountId: principal.accountId, webhookId: parameters[0] ?? '' }
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
