/**
 * Batches alerts for the pool. Alerts that arrive while batches are being rendered wait for the next batch,
 * so a storm of alerts needs few messages between threads. A single alert is sent at once. The alerts of a
 * failed batch are rendered one by one, so that an alert that crashes or hangs a thread does not affect the
 * others. A large alert is never part of a batch, because the pool has a thread of its own for large alerts.
 */

import type { RenderedAlert } from '#contracts/alert-reading.ts'
import { ALERT_RENDER_MS_MAX } from '#contracts/bounds.ts'
import type { AlertToRender, Pool } from '#contracts/pool-tasks.ts'

/** Bodies up to this length are rendered in batches: a round trip to the pool costs more than most texts. */
export const ALERT_BATCHED_BYTES_MAX = 16_384
/** Alerts in one batch, about 0.1 ms each. */
export const ALERTS_PER_BATCH_MAX = 64
/** Batches in the pool at once: a second one is ready when the first is done. */
export const ALERT_BATCHES_MAX = 2
/** Alerts of one listener that may wait for a batch; further ones are sent with the fallback text. */
const ALERTS_WAITING_MAX = 4096

interface Waiting {
  readonly alert: AlertToRender
  readonly resolve: (rendered: RenderedAlert | Promise<RenderedAlert>) => void
}

const OPTIONS = { timeoutMs: ALERT_RENDER_MS_MAX }

export class RenderBatches {
  readonly #pool: Pool
  readonly #waiting: Waiting[] = []
  #running = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Renders an alert of an account. @throws the error of the pool, or an Error when too many alerts wait */
  render(alert: AlertToRender, accountId: string): Promise<RenderedAlert> {
    if (alert.request.body.byteLength > ALERT_BATCHED_BYTES_MAX)
      return this.#pool.run('render-large-alert', alert, { ...OPTIONS, accountId })
    if (this.#waiting.length >= ALERTS_WAITING_MAX)
      return Promise.reject(new Error(`already ${ALERTS_WAITING_MAX} alerts wait to be rendered`))
    return new Promise(resolve => {
      this.#waiting.push({ alert, resolve })
      this.#next()
    })
  }

  #next(): void {
    if (this.#running >= ALERT_BATCHES_MAX || this.#waiting.length === 0) return
    this.#running += 1
    void this.#run(this.#waiting.splice(0, ALERTS_PER_BATCH_MAX)).finally(() => {
      this.#running -= 1
      this.#next()
    })
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch
    if (only !== undefined && batch.length === 1) {
      const rendering = this.#renderAlone(only.alert)
      only.resolve(rendering)
      await rendering.catch(() => {})
      return
    }
    const alerts = batch.map(({ alert }) => alert)
    const rendered = await this.#pool.run('render-alerts', alerts, OPTIONS).catch(() => [])
    for (const [index, { alert, resolve }] of batch.entries())
      resolve(rendered[index] ?? this.#renderAlone(alert))
  }

  #renderAlone(alert: AlertToRender): Promise<RenderedAlert> {
    return this.#pool.run('render-alert', alert, OPTIONS)
  }
}
