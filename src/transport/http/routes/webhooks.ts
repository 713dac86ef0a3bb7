import * as v from 'valibot'
import { ALERT_RENDER_MS_MAX } from '#contracts/bounds.ts'
import type { WebhookFields, WebhookReference, Writer } from '#contracts/commands.ts'
import type { Pool, PoolTaskInput } from '#contracts/pool-tasks.ts'
import {
  CreateWebhookRequest,
  PreviewRequest,
  PreviewResource,
  RemovedWebhook,
  UpdateWebhookRequest,
  WebhookResource,
} from '#contracts/webhook.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { notFound } from '#domain/problem.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { Validation } from '#transport/http/body.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import { checkFields, withReadRecipients } from '#transport/http/webhook-fields.ts'

export interface WebhookPorts {
  readonly writer: Writer
  readonly webhooks: WebhookReader
  readonly numbers: PhoneNumberCache
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  readonly pool: Pool
  readonly wallMs: () => number
}

/** Routes to manage the account's webhooks. The routes that trigger webhooks are in `trigger.ts`. */
export function webhookRoutes(ports: WebhookPorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports), previewRoute(ports)]
}

function readingRoutes({ webhooks, wallMs }: WebhookPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/webhooks',
      access: 'account',
      body: 'none',
      operation: {
        id: 'listWebhooks',
        tag: 'webhooks',
        summary: 'List webhooks with their counters',
        response: v.array(WebhookResource),
        problems: [401, 429, 503],
        example: EXAMPLES.webhooks,
      },
      handle({ principal }) {
        const at = { triggers: webhooks.triggers, wallMs: wallMs() }
        return { data: webhooks.list(principal.accountId).map(webhook => describeWebhook(webhook, at)) }
      },
    },
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      body: 'none',
      operation: {
        id: 'getWebhook',
        tag: 'webhooks',
        summary: 'A webhook with its counters',
        response: WebhookResource,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.webhook,
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
    {
      method: 'post',
      path: '/api/v1/webhooks',
      access: 'account',
      body: 'json',
      operation: {
        id: 'createWebhook',
        tag: 'webhooks',
        summary: 'Make a webhook; its secret address is in this answer only',
        request: CreateWebhookRequest,
        response: WebhookResource,
        problems: [400, 401, 404, 409, 413, 415, 429, 503],
        example: EXAMPLES.createWebhook,
      },
      handle: async call => ({
        data: await writer.ask('webhook.create', {
          accountId: call.principal.accountId,
          fields: readCreation(ports, call),
        }),
      }),
    },
    {
      method: 'patch',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      body: 'json',
      operation: {
        id: 'updateWebhook',
        tag: 'webhooks',
        summary: 'Change a webhook',
        request: UpdateWebhookRequest,
        response: WebhookResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: EXAMPLES.updateWebhook,
      },
      handle: async call => {
        const which = reference(call)
        if (ports.webhooks.find(which.accountId, which.webhookId) === undefined) throw notFound('webhook')
        return { data: await writer.ask('webhook.update', { ...which, change: readChange(ports, call) }) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/webhooks/{id}',
      access: 'account',
      body: 'none',
      operation: {
        id: 'deleteWebhook',
        tag: 'webhooks',
        summary: 'Remove a webhook',
        response: RemovedWebhook,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.removeWebhook,
      },
      handle: async call => ({ data: await writer.ask('webhook.remove', reference(call)) }),
    },
    rotateRoute(ports),
  ]
}

function rotateRoute({ writer }: WebhookPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/webhooks/{id}/rotate',
    access: 'account',
    body: 'none',
    operation: {
      id: 'rotateWebhook',
      tag: 'webhooks',
      summary: 'Give a webhook a new secret address; the old one stops working at once',
      response: WebhookResource,
      problems: [401, 404, 429, 503],
      example: EXAMPLES.rotateWebhook,
    },
    handle: async call => ({ data: await writer.ask('webhook.rotate', reference(call)) }),
  }
}

function previewRoute({ pool }: WebhookPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/webhooks/preview',
    access: 'account',
    body: 'json',
    operation: {
      id: 'previewAlert',
      tag: 'webhooks',
      summary: 'Preview the text of a payload; nothing is sent',
      request: PreviewRequest,
      response: PreviewResource,
      problems: [400, 401, 413, 415, 429, 503],
      example: EXAMPLES.previewWebhook,
    },
    async handle({ json }) {
      const input = readPreview(json)
      const rendered = await pool.run('preview-alert', input, { timeoutMs: ALERT_RENDER_MS_MAX })
      const { message, format, severity, state } = rendered
      return { data: { message, format, severity, state, ...segmentsOf(message) } }
    },
  }
}

function readPreview(json: unknown): PoolTaskInput<'preview-alert'> {
  const validation = new Validation()
  const parsed = validation.parse(PreviewRequest, json)
  const given = json as { readonly payload?: unknown; readonly body?: unknown }
  const hasBody = given.body != null
  const hasPayload = given.payload !== undefined
  if (!hasBody && !hasPayload) validation.add('payload', 'is required, unless body is given')
  if (hasBody && hasPayload)
    validation.add('payload', 'give either payload, or body and contentType, not both')
  const { payload, body, contentType, messageTemplate: template } = validation.complete(parsed)
  if (!hasBody) return { payload, template }
  const bytes = new TextEncoder().encode(body ?? '')
  return { request: { method: 'POST', query: '', contentType, headers: {}, body: bytes }, template }
}

function reference({ principal, parameters }: AuthorizedCall): WebhookReference {
  return { accountId: principal.accountId, webhookId: parameters[0] ?? '' }
}

function readCreation(ports: WebhookPorts, call: AuthorizedCall): WebhookFields {
  const validation = new Validation()
  const json = withReadRecipients(ports, call.json)
  const parsed = validation.parse(CreateWebhookRequest, json)
  const recipients = checkFields(ports, json, validation)
  const { maxPerHour, allowedIps, enabled, ...fields } = validation.complete(parsed)
  if (maxPerHour === null || allowedIps === null || enabled === null)
    throw new Error('a field is null, although the schema replaces null by a default')
  return {
    ...fields,
    maxPerHour,
    allowedIps,
    enabled,
    recipients: validation.complete(recipients),
    messageTemplate: templateOf(fields.messageTemplate),
  }
}

function readChange(ports: WebhookPorts, call: AuthorizedCall): Partial<WebhookFields> {
  const validation = new Validation()
  const json = withReadRecipients(ports, call.json)
  const parsed = validation.parse(UpdateWebhookRequest, json)
  const recipients = checkFields(ports, json, validation)
  const { recipients: _, messageTemplate, ...change } = validation.complete(parsed)
  return {
    ...withoutUndefined(change),
    ...(recipients !== undefined && { recipients }),
    ...(messageTemplate !== undefined && { messageTemplate: templateOf(messageTemplate) }),
  }
}

/** An empty template means no template. */
function templateOf(template: string | null): string | null {
  return template?.trim() === '' ? null : template
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Partial<
    Defined<T>
  >
}
