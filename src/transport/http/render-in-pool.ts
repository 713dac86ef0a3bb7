import type { RenderedAlert } from '#contracts/alert-reading.ts'
import { ALERT_CPU_MS_MAX } from '#contracts/bounds.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { fallbackText } from '#domain/alert/fallback-text.ts'
import { messageOf } from '#domain/cause.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/**
 * An alert without a text after this time gets the fallback text, whatever the cause. It leaves the rest of
 * REQUEST_MS_MAX to the writer.
 */
const ALERT_RENDER_MS_MAX = 10_000
/** So often the log says of a webhook that its alerts could not be rendered: a sender may repeat itself. */
const FAILURE_LOGGED_EVERY_MS = 60_000
/** Larger bodies go to the thread for large alerts. */
export const SMALL_ALERT_BYTES_MAX = 16_384

/** Turns a request to a webhook from an address into a text. Never rejects. */
export type RenderAlert = (
  request: TriggerRequest,
  webhook: Webhook,
  address: string,
) => Promise<RenderedAlert>

/**
 * Renders alerts in the pool. If rendering fails or takes too long, the fallback text is used, because
 * delivery matters more than good wording.
 */
export function renderInPool(
  pool: Pool,
  log: (entry: LogEntry) => void,
  renderMsMax = ALERT_RENDER_MS_MAX,
): RenderAlert {
  /** By webhook, when the log last said so. */
  const logged = new Map<string, number>()
  return async (request, webhook, address) => {
    const { id, accountId, messageTemplate: template, readings } = webhook
    const task = request.body.byteLength > SMALL_ALERT_BYTES_MAX ? 'render-large-alert' : 'render-alert'
    const limits = { cpuMsMax: ALERT_CPU_MS_MAX, waitMsMax: renderMsMax }
    const sender = `${id} ${address}`
    const rendering = pool.run(task, { request, template, readings }, { ...limits, accountId, sender })
    try {
      return await inTime(rendering, renderMsMax)
    } catch (error) {
      if (performance.now() - (logged.get(id) ?? Number.NEGATIVE_INFINITY) >= FAILURE_LOGGED_EVERY_MS) {
        logged.set(id, performance.now())
        log({ level: 'warn', event: 'alert.render_failed', fields: { webhook: id, cause: messageOf(error) } })
      }
      const message = fallbackText(webhook.name, request)
      return { message, format: 'digest', severity: null, state: null, isUrgent: false, reading: null }
    }
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new Error('the pool has too much to do'))
  const timer = setTimeout(late, ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
