import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { HttpMetrics } from '#transport/http/http-metrics.ts'

const over = { route: '/api/v1/sms/{messageId}', method: 'get', requestId: 'a', status: 200, ms: 3 }

function series(metrics: HttpMetrics, name: string): Record<string, number> {
  const metric = metrics.read().find(one => one.name === name)
  return Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )
}

test('requests are counted by route, method and status', () => {
  const metrics = new HttpMetrics()
  for (const status of [200, 200, 404, 0]) metrics.answered({ ...over, status })
  assert.deepEqual(series(metrics, 'roost_http_requests_total'), {
    '/api/v1/sms/{messageId} get 200': 2,
    '/api/v1/sms/{messageId} get 404': 1,
    '/api/v1/sms/{messageId} get aborted': 1,
  })
})

test('unknown methods share one series', () => {
  const metrics = new HttpMetrics()
  for (let i = 0; i < 1000; i++) metrics.answered({ ...over, method: `made-up-${i}`, status: 405 })
  assert.deepEqual(series(metrics, 'roost_http_requests_total'), {
    '/api/v1/sms/{messageId} other 405': 1000,
  })
})

test('refusals of the limiter are counted by kind, but not when the limit is only read', () => {
  const refusing: RateLimiter = {
    take: (_kind, key) => ({ allowed: key === 'a', limit: 1, remaining: 0, resetAtMs: 0, retryAfterMs: 0 }),
    peek: () => ({ allowed: false, limit: 1, remaining: 0, resetAtMs: 0, retryAfterMs: 0 }),
  }
  const metrics = new HttpMetrics()
  const limiter = metrics.countingRefusals(refusing)
  for (const key of ['a', 'b', 'c']) limiter.take('account', key, 1)
  limiter.take('address', 'b', 1)
  limiter.peek('address', 'b', 1)
  assert.deepEqual(series(metrics, 'roost_limiter_refusals_total'), { account: 2, address: 1 })
})
