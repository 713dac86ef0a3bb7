import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool, PoolTaskName, PoolTaskOutput } from '#contracts/pool-tasks.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { NO_TRIGGERS, type Webhook } from '#domain/webhook/webhook.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { renderInPool, SMALL_ALERT_BYTES_MAX } from '#transport/http/render-in-pool.ts'

const WEBHOOK: Webhook = {
  id: 'whk_1',
  accountId: 'acc_1',
  tokenHint: 'abcd',
  name: 'NAS',
  recipients: [],
  people: [],
  maxPerHour: 20,
  messageTemplate: '{{a}}',
  allowedIps: [],
  deviceId: null,
  enabled: true,
  minSeverity: null,
  sendRecovered: true,
  summarizeOverflow: true,
  keepLastBody: true,
  gather: false,
  silentAfterMinutes: null,
  policyId: null,
  heardAt: null,
  silentAt: null,
  noticedAt: null,
  held: null,
  readings: {},
  createdAt: 0,
  updatedAt: 0,
  counters: NO_TRIGGERS,
}
const ADDRESS = '10.0.0.1'
const REQUEST = triggerRequest({ body: 'disk full' })

/** A pool that answers every task with `answer`. */
function poolOf(answer: () => Promise<unknown>): Pool {
  return { run: <N extends PoolTaskName>() => answer() as Promise<PoolTaskOutput<N>> }
}

test('an alert whose task fails is sent unchanged, and the log says so without its text', async () => {
  const log: LogEntry[] = []
  const pool = poolOf(() => Promise.reject(new Error('the worker died')))
  const render = renderInPool(pool, entry => log.push(entry))
  const { message } = await render(REQUEST, WEBHOOK, ADDRESS)
  assert.equal(message, 'NAS: disk full')
  // Once a minute for a webhook: its sender must not fill the log.
  await render(REQUEST, WEBHOOK, ADDRESS)
  await render(REQUEST, { ...WEBHOOK, id: 'whk_2' }, ADDRESS)
  assert.deepEqual(
    log.map(({ level, fields }) => [level, fields]),
    ['whk_1', 'whk_2'].map(webhook => ['warn', { webhook, cause: 'the worker died' }]),
  )
})

test('an alert that the pool does not render in time is sent unchanged', async () => {
  const hanging = poolOf(() => new Promise(() => {}))
  const { message } = await renderInPool(hanging, () => {}, 1)(REQUEST, WEBHOOK, ADDRESS)
  assert.equal(message, 'NAS: disk full')
})

test('the rendered text is sent', async () => {
  const rendered = { message: 'DOWN NAS', format: 'generic', severity: 'critical', state: 'firing' }
  const pool = poolOf(() => Promise.resolve(rendered))
  assert.deepEqual(await renderInPool(pool, () => {})(REQUEST, WEBHOOK, ADDRESS), rendered)
})

test('an alert has 2 s of CPU time, and its webhook and address are named as its sender', async () => {
  const calls: unknown[] = []
  const pool: Pool = {
    run: async (name, _input, options) => {
      calls.push([name, options])
      throw new Error('not rendered')
    },
  }
  for (const body of ['x', 'x'.repeat(SMALL_ALERT_BYTES_MAX + 1)])
    await renderInPool(pool, () => {})(triggerRequest({ body }), WEBHOOK, ADDRESS)
  const limits = { cpuMsMax: 2_000, waitMsMax: 10_000, accountId: 'acc_1', sender: 'whk_1 10.0.0.1' }
  assert.deepEqual(calls, [
    ['render-alert', limits],
    ['render-large-alert', limits],
  ])
})
