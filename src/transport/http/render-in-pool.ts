import type { RenderedAlert } from '#contracts/alert-reading.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { fallbackText } from '#domain/alert/fallback-text.ts'
import { messageOf } from '#domain/cause.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import { RenderBatches } from '#transport/http/render-batches.ts'

/** Time limit for waiting and rendering together; after that, the fallback text is sent. */
const ALERT_RENDER_WAIT_MS_MAX = 8_000

/** Turns a request to a webhook into a text. Never rejects. */
export type RenderAlert = (request: TriggerRequest, webhook: Webhook) => Promise<RenderedAlert>

/**
 * Renders alerts in the pool. If rendering fails or takes too long, the fallback text is used, because
 * delivery matters more than good wording.
 */
export function renderInPool(
  pool: Pool,
  log: (entry: LogEntry) => void,
  waitMsMax = ALERT_RENDER_WAIT_MS_MAX,
): RenderAlert {
  const batches = new RenderBatches(pool)
  return async (request, webhook) => {
    const { messageTemplate: template, readings } = webhook
    const alert = { request, template, readings }
    const rendering = batches.render(alert, webhook.accountId)
    try {
      return await inTime(rendering, waitMsMax)
    } catch (error) {
      const cause = messageOf(error)
      log({ level: 'warn', event: 'alert.render_failed', fields: { webhook: webhook.id, cause } })
      const message = fallbackText(webhook.name, request)
      return { message, format: 'digest', severity: null, state: null, isUrgent: false, reading: null }
    }
  }
}

async function inTime<T>(work: Promise<T>, waitMsMax: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new Error('the pool has too much to do'))
  const timer = setTimeout(late, waitMsMax)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
