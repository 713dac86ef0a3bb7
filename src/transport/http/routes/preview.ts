import { ANY_SHAPE } from '#contracts/alert-reading.ts'
import { ALERT_CPU_MS_MAX } from '#contracts/bounds.ts'
import type { Pool, PoolTaskInput } from '#contracts/pool-tasks.ts'
import { PreviewRequest, PreviewResource } from '#contracts/preview.ts'
import { TRIGGER_HEADERS } from '#domain/alert/read/read-payload.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { notFound } from '#domain/problem.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { READ } from '#transport/http/openapi/example-values.ts'
import type { Route } from '#transport/http/route.ts'

export interface PreviewPorts {
  readonly pool: Pool
  readonly webhooks: WebhookReader
}

/** The route that shows the text of an alert without sending it. */
export function previewRoutes({ pool, webhooks }: PreviewPorts): Route[] {
  return knownRoutes({ tag: 'webhooks', role: 'operator' }, [
    {
      method: 'post',
      path: '/api/v1/webhooks/preview',
      operation: {
        id: 'previewAlert',
        summary: 'Preview the text of a payload; nothing is sent',
        description:
          'Send the alert as `payload` (a JSON value), or as `body` with `contentType`; both are read as a ' +
          'trigger reads them. `format` in the answer names the sender that was recognized. ' +
          '404: the account has no webhook with this `webhookId`.',
        request: PreviewRequest,
        response: PreviewResource,
        problems: [404],
        example: {
          request: { messageTemplate: '{{status}} {{monitor}}', payload: { status: 'DOWN', monitor: 'nas' } },
          data: {
            message: 'DOWN nas',
            format: 'template',
            severity: 'critical',
            state: 'firing',
            segments: 1,
            encoding: 'GSM-7',
            ...READ,
          },
        },
      },
      async handle({ json, principal }) {
        const { webhookId, ...alert } = readPreview(json)
        const webhook = webhookId === null ? null : webhooks.find(principal.accountId, webhookId)
        if (webhook === undefined) throw notFound('webhook')
        const input = { ...alert, readings: { ...webhook?.readings, ...alert.readings } }
        const { accountId } = principal
        const rendered = await pool.run('preview-alert', input, { cpuMsMax: ALERT_CPU_MS_MAX, accountId })
        const { message, format, severity, state, reading } = rendered
        if (reading === null) throw new Error('a rendering has no reading')
        const { guess, fields, shape, confirmationUrl } = reading
        const read = { guess, fields, shape, confirmationUrl }
        return { data: { message, format, severity, state, ...segmentsOf(message), ...read } }
      },
    },
  ])
}

function readPreview(json: unknown): PoolTaskInput<'preview-alert'> & { webhookId: string | null } {
  const validation = new Validation()
  const parsed = validation.parse(PreviewRequest, json)
  const given = json as { readonly payload?: unknown; readonly body?: unknown }
  const hasBody = given.body != null
  const hasPayload = given.payload !== undefined
  if (!hasBody && !hasPayload) validation.add('payload', 'is required, unless body is given')
  if (hasBody && hasPayload)
    validation.add('payload', 'give either payload, or body and contentType, not both')
  const { payload, body, contentType, messageTemplate, webhookId, ...rest } = validation.complete(parsed)
  const readings = rest.reading === null ? {} : { [ANY_SHAPE]: rest.reading }
  const options = { webhookId, template: messageTemplate, readings }
  const named = Object.entries(rest.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  if (!hasBody && named.length === 0) return { payload, ...options }
  const headers = Object.fromEntries(named.filter(([name]) => TRIGGER_HEADERS.includes(name)))
  const bytes = new TextEncoder().encode(body ?? JSON.stringify(payload))
  return { request: { method: 'POST', query: '', contentType, headers, body: bytes }, ...options }
}
