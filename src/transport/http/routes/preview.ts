import { ALERT_RENDER_MS_MAX } from '#contracts/bounds.ts'
import type { Pool, PoolTaskInput } from '#contracts/pool-tasks.ts'
import { PreviewRequest, PreviewResource } from '#contracts/webhook.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { Validation } from '#transport/http/body.ts'
import type { Route } from '#transport/http/route.ts'

/** The route that shows the text of an alert without sending it. */
export function previewRoutes({ pool }: { readonly pool: Pool }): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/webhooks/preview',
      access: 'account',
      body: 'json',
      operation: {
        id: 'previewAlert',
        tag: 'webhooks',
        summary: 'Preview the text of a payload; nothing is sent',
        description:
          'Send the alert as `payload` (a JSON value), or as `body` with `contentType`; both are read as a ' +
          'trigger reads them. `format` in the answer names the sender that was recognized.',
        request: PreviewRequest,
        response: PreviewResource,
        problems: [400, 401, 413, 415, 429, 503],
        example: {
          request: { messageTemplate: '{{status}} {{monitor}}', payload: { status: 'DOWN', monitor: 'nas' } },
          data: {
            message: 'DOWN nas',
            format: 'template',
            severity: 'critical',
            state: 'firing',
            segments: 1,
            encoding: 'GSM-7',
          },
        },
      },
      async handle({ json }) {
        const input = readPreview(json)
        const rendered = await pool.run('preview-alert', input, { timeoutMs: ALERT_RENDER_MS_MAX })
        const { message, format, severity, state } = rendered
        return { data: { message, format, severity, state, ...segmentsOf(message) } }
      },
    },
  ]
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
