import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RenderedAlert } from '#contracts/alert-reading.ts'
import type { AlertToRender, Pool, PoolTaskName } from '#contracts/pool-tasks.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import {
  ALERT_BATCHED_BYTES_MAX,
  ALERT_BATCHES_MAX,
  ALERTS_PER_BATCH_MAX,
  RenderBatches,
} from '#transport/http/render-batches.ts'

const BAD = 'bad'

/** A pool that renders an alert as its body, and fails every task that contains a bad alert. */
class EchoPool implements Pool {
  readonly sizes: number[] = []
  /** Tasks end only after this promise. */
  gate: Promise<void> = Promise.resolve()

  async run<N extends PoolTaskName>(_name: N, input: unknown): Promise<never> {
    const alerts = (Array.isArray(input) ? input : [input]) as AlertToRender[]
    this.sizes.push(alerts.length)
    await this.gate
    const texts = alerts.map(({ request }) => new TextDecoder().decode(request.body.subarray(0, 20)))
    if (texts.includes(BAD)) throw new Error('the worker died')
    const rendered: RenderedAlert[] = texts.map(message => ({
      message,
      format: 'generic',
      severity: null,
      state: null,
      isUrgent: false,
      reading: null,
    }))
    return (Array.isArray(input) ? rendered : rendered[0]) as never
  }
}

function alert(body: string): AlertToRender {
  return { request: triggerRequest({ body }), template: null }
}

test('alerts that arrive during rendering are rendered together, and each gets its own text', async () => {
  const pool = new EchoPool()
  const { promise, resolve } = Promise.withResolvers<void>()
  pool.gate = promise
  const batches = new RenderBatches(pool)
  const count = ALERT_BATCHES_MAX + ALERTS_PER_BATCH_MAX + 3
  const all = Array.from({ length: count }, (_, i) => batches.render(alert(`alert ${i}`), 'acc'))
  resolve()
  const texts = (await Promise.all(all)).map(({ message }) => message)
  assert.deepEqual(
    texts,
    all.map((_, i) => `alert ${i}`),
  )
  assert.deepEqual(pool.sizes, [...Array(ALERT_BATCHES_MAX).fill(1), ALERTS_PER_BATCH_MAX, 3])
})

test('an alert that makes a thread fail fails alone', async () => {
  const pool = new EchoPool()
  const batches = new RenderBatches(pool)
  const bodies = ['a', 'b', 'c', BAD, 'd', 'e']
  const settled = await Promise.allSettled(bodies.map(body => batches.render(alert(body), 'acc')))
  assert.deepEqual(
    settled.map(one => (one.status === 'fulfilled' ? one.value.message : 'failed')),
    ['a', 'b', 'c', 'failed', 'd', 'e'],
  )
  assert.equal((await batches.render(alert('after'), 'acc')).message, 'after')
})

test('a large alert is rendered alone, so that it delays no others', async () => {
  const pool = new EchoPool()
  const batches = new RenderBatches(pool)
  const large = 'x'.repeat(ALERT_BATCHED_BYTES_MAX + 1)
  await Promise.all(['a', 'b', large, 'c', 'd'].map(body => batches.render(alert(body), 'acc')))
  assert.deepEqual(pool.sizes, [1, 1, 1, 2])
})
