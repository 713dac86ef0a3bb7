import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallOptions } from '#test/kit/gateway.ts'
import { openApiChecker } from '#test/kit/openapi-checker.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { describeApi } from '#transport/http/openapi/describe-api.ts'
import type { Route } from '#transport/http/route.ts'

const gateway = await sharedGateway()
const owner = await gateway.newAccount()
const routes = await declaredRoutes()
/** Logging out comes last, because it ends the token. */
const walked = routes.toSorted((a, b) => Number(isLogout(a)) - Number(isLogout(b)))

const ask = (path: string, { method = 'GET', ...options }: CallOptions & { method?: string } = {}) =>
  gateway.call(method, path, options)

function isLogout({ path }: Route): boolean {
  return path.endsWith('/logout')
}

function pathOf({ path }: Route): string {
  return path.replace(/\{\w+\}/g, 'msg_00000000000000000000000000')
}

async function walk(headers: Record<string, string>): Promise<string[]> {
  const seen: string[] = []
  for (const route of walked) {
    if (route.operation === undefined) continue
    const body = route.body === 'none' ? {} : { json: {} }
    const response = await gateway.call(route.method.toUpperCase(), pathOf(route), { ...body, headers })
    seen.push(`${route.method} ${route.path} ${response.status}`)
  }
  return seen
}

test('the gateway serves the OpenAPI description of its routes', async () => {
  const response = await ask('/api/v1/openapi.json')
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const served = response.json as unknown as { info: { version: string }; servers: { url: string }[] }
  const { version } = served.info
  const url = served.servers[0]?.url ?? ''
  assert.match(url, /^http:/)
  const sorted = (document: object) => Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1))
  const expected = describeApi(routes, { version, url })
  assert.deepEqual(sorted((served as unknown as { paths: object }).paths), sorted(expected.paths))
})

test('every route answers requests without a credential as described', async () => {
  const seen = await walk({})
  assert.ok(seen.includes('post /api/v1/sms/send 401'))
  assert.ok(seen.includes('get /healthz 200'))
})

test('every route answers requests with a key as described', async () => {
  const seen = await walk({ 'X-API-Key': owner.testKey })
  assert.ok(seen.includes('get /api/v1/sms 200'))
  assert.ok(seen.includes('post /api/v1/sms/send 400'))
})

test('every route answers requests with an account token as described', async () => {
  const seen = await walk({ Authorization: `Bearer ${owner.token}` })
  assert.ok(seen.includes('post /api/v1/devices/pairings 200'))
  assert.ok(seen.includes('delete /api/v1/devices/{deviceId} 404'))
})

test('every answer from sending a message to its delivery is as described', async () => {
  const headers = { 'X-API-Key': owner.testKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' }
  const body = JSON.stringify({ phoneNumber: '+15005550006', message: 'Hello' })
  const sent = await ask('/api/v1/sms/send', { method: 'POST', headers, body })
  assert.equal(sent.status, 200)
  const { data } = sent.json as unknown as { data: { messageId: string } }
  const again = await ask('/api/v1/sms/send', { method: 'POST', headers, body })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = {
    method: 'POST',
    headers,
    body: JSON.stringify({ phoneNumber: '+15005550006', message: 'x' }),
  }
  assert.equal((await ask('/api/v1/sms/send', other)).status, 422)
  const text = { method: 'POST', headers: { ...headers, 'Content-Type': 'text/plain' }, body }
  assert.equal((await ask('/api/v1/sms/send', text)).status, 200)
  const long = { method: 'POST', headers, body: 'x'.repeat(300_000) }
  assert.equal((await ask('/api/v1/sms/send', long)).status, 413)
  for (const path of [`/api/v1/sms/${data.messageId}`, '/api/v1/sms?limit=1', '/api/v1/account/usage'])
    assert.equal((await ask(path, { headers })).status, 200)
})

test('the refusal of an unsupported method is as described', async () => {
  const response = await ask('/api/v1/sms/send', { method: 'PATCH' })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'POST')
})

test('the checker finds an answer that is not described', async () => {
  const checker = await openApiChecker()
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'a',
  }
  const answer = { method: 'get', path: '/healthz', headers: new Headers(headers) }
  checker.check({ ...answer, status: 200, text: '{"success":true,"data":{"status":"ok"}}' })
  const wrong = [
    { ...answer, status: 200, text: '{"success":true,"data":{"status":"fine"}}' },
    { ...answer, status: 201, text: '{"success":true,"data":{"status":"ok"}}' },
    { ...answer, status: 503, text: '{"success":false,"error":{"code":"NOT_FOUND","message":""}}' },
    { ...answer, status: 200, headers: new Headers({ 'content-type': 'text/html' }), text: '{}' },
    { ...answer, path: '/api/v1/account/usage', status: 401, text: '{}' },
  ]
  for (const one of wrong) assert.throws(() => checker.check(one), assert.AssertionError)
})
