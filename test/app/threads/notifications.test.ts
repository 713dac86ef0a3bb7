import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { DeliveryDetail, DeliveryResource, NotificationResource } from '#contracts/notification.ts'
import { NotificationEvent } from '#contracts/notification-event.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HOSTILE_URLS } from '#test/kit/hostile-urls.ts'
import {
  awaitedReceiver,
  type NotifiedGateway,
  notifiedGateway,
  PLANS_WITHOUT_CALL_LIMIT,
} from '#test/kit/notified-gateway.ts'
import { answering, type ReceivedRequest, resetting, startTcpReceiver } from '#test/kit/rogue-receiver.ts'

/** Reads the deliveries until `isWanted` accepts them, because the API does not announce changes. */
async function deliveries(
  given: NotifiedGateway,
  query: string,
  isWanted: (all: readonly DeliveryResource[]) => boolean,
): Promise<readonly DeliveryResource[]> {
  for (;;) {
    const answer = await given.api('GET', `/deliveries${query}`)
    const all = v.parse(v.array(DeliveryResource), answer.json?.data)
    if (isWanted(all)) return all
  }
}

const settled = (all: readonly DeliveryResource[]) =>
  all.length > 0 && all.every(({ status }) => status !== 'pending')

function check({ headers, body }: ReceivedRequest, secret: string): void {
  const own = new Webhook(secret)
  assert.deepEqual(own.verify(body, headers as Record<string, string>), JSON.parse(body))
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-r'], { input: body })
  assert.equal(headers['x-webhook-signature'], `sha256=${String(digest).split(' ')[0]}`)
  assert.equal(headers['x-webhook-id'], headers['webhook-id'])
  v.parse(NotificationEvent, JSON.parse(body))
}

test('the events of a message arrive in order, and a library and openssl verify them', async t => {
  const given = await notifiedGateway(t)
  const receiver = await awaitedReceiver(t, answering(204))
  const secret = await given.register(receiver.url)
  const messageId = await given.send()
  const requests = await receiver.received(2)
  for (const request of requests) check(request, secret)
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body).event),
    ['sms.sent', 'sms.delivered'],
  )
  assert.deepEqual(JSON.parse(requests[0]?.body ?? '').data, {
    messageId,
    phoneNumber: '+14155550123',
    status: 'sent',
    test: true,
  })
  const log = await deliveries(given, `?messageId=${messageId}`, settled)
  assert.deepEqual(
    log.map(({ status, attempts, lastResponseStatus }) => [status, attempts, lastResponseStatus]),
    [
      ['delivered', 1, 204],
      ['delivered', 1, 204],
    ],
  )
  assert.equal(log[0]?.attemptLog[0]?.status, 204)
  const page = await given.api('GET', '/deliveries?limit=1&event=sms.sent')
  assert.deepEqual([page.json?.data.length, page.json?.page], [1, { nextCursor: null }])
  for (const query of ['limit=1&limit=2', 'since=2026-02-31T00:00:00.000Z', 'cursor=x', 'limit=0'])
    assert.equal((await given.api('GET', `/deliveries?${query}`)).status, 400, query)
  const first = await given.api('GET', '/deliveries?limit=1')
  const rest = await given.api('GET', `/deliveries?limit=1&cursor=${first.json?.page?.nextCursor}`)
  assert.deepEqual([first.json?.data[0]?.['id'], rest.json?.data[0]?.['id']], [log[0]?.id, log[1]?.id])
})

test('a failure is tried again after some seconds under the same id with the same bytes', async t => {
  const given = await notifiedGateway(t)
  let status = 500
  const receiver = await awaitedReceiver(t, (request, response) => {
    answering(status)(request, response)
    status = 200
  })
  await given.register(receiver.url)
  // Measured from here, because the first attempt may be over before this call is answered.
  const startedAt = performance.now()
  assert.equal((await given.api('POST', '/test')).status, 200)
  const [first, second] = await receiver.received(2)
  const waitedMs = performance.now() - startedAt
  assert.ok(waitedMs > 3_900, `${waitedMs} ms`)
  assert.equal(second?.body, first?.body)
  assert.deepEqual(
    [first, second].map(request => request?.headers['x-webhook-attempt']),
    ['1', '2'],
  )
  assert.equal(second?.headers['x-webhook-id'], first?.headers['x-webhook-id'])
})

test('410 disables the URL, the owner sees why, and missed events can be replayed', async t => {
  const given = await notifiedGateway(t)
  const gone = await awaitedReceiver(t, answering(410))
  await given.register(gone.url)
  await given.api('POST', '/test')
  await deliveries(given, '', settled)
  const setting = v.parse(NotificationResource, (await given.api('GET', '')).json?.data)
  assert.deepEqual([setting.enabled, setting.disabledReason, setting.secret], [false, 'GONE', null])
  const since = '2020-01-01T00:00:00Z'
  assert.equal((await given.api('POST', '/deliveries/replay', { since })).status, 409)
  assert.ok(given.gateway.log.some(({ level, event }) => level === 'warn' && event.includes('disabled')))
  const well = await awaitedReceiver(t, answering(200))
  assert.equal(await given.register(well.url), 'null', 'the secret is shown only once')
  const replayed = await given.api('POST', '/deliveries/replay', { since })
  assert.deepEqual(replayed.json?.data, { replayed: 1, more: false })
  const [request] = await well.received(1)
  assert.equal(request?.headers['x-webhook-attempt'], '2')
})

test('a delivery shows the body that was sent and the beginning of the answer', async t => {
  const given = await notifiedGateway(t)
  const receiver = await awaitedReceiver(t, answering(500, {}, `no room ${'ü'.repeat(2000)}`))
  await given.register(receiver.url)
  await given.api('POST', '/test')
  const [listed] = await deliveries(given, '', all => all[0]?.attempts === 1)
  const answer = await given.api('GET', `/deliveries/${listed?.id}`)
  const { body, attempts, ...rest } = v.parse(v.strictObject(DeliveryDetail.entries), answer.json?.data)
  const { attempts: count, ...same } = listed ?? {}
  assert.deepEqual([rest, count], [same, 1])
  const [request] = await receiver.received(1)
  assert.equal(body, request?.body)
  const [{ at, durationMs, ...attempt } = { at: '', durationMs: -1 }] = attempts
  assert.deepEqual(attempt, { status: 500, error: null, answer: `no room ${'ü'.repeat(508)}` })
  assert.ok(durationMs >= 0 && Date.parse(at) <= Date.now())
  const other = await given.gateway.account('other@example.org')
  const path = `/api/v1/notifications/deliveries/${listed?.id}`
  assert.equal((await given.gateway.call('GET', path, { token: other.token })).status, 404)
})

for (const [what, behave, error, status] of [
  ['a redirect', answering(302, { location: 'http://127.0.0.1:1/' }), null, 302],
  ['a reset connection', resetting, 'RESET', null],
] as const) {
  test(`${what} counts as a failure and is logged with its kind`, async t => {
    const given = await notifiedGateway(t)
    const receiver = await awaitedReceiver(t, behave)
    await given.register(receiver.url)
    await given.api('POST', '/test')
    const [delivery] = await deliveries(given, '', all => all[0]?.attempts === 1)
    assert.deepEqual(
      [delivery?.status, delivery?.lastError, delivery?.lastResponseStatus],
      ['pending', error, status],
    )
  })
}

test('Retry-After of a 503 moves the next attempt', async t => {
  const given = await notifiedGateway(t)
  const receiver = await awaitedReceiver(t, answering(503, { 'retry-after': '3600' }))
  await given.register(receiver.url)
  await given.api('POST', '/test')
  const [delivery] = await deliveries(given, '', all => all[0]?.attempts === 1)
  const inMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.now()
  assert.ok(inMs > 3_590_000 && inMs <= 3_600_000, `${inMs} ms`)
})

test("a message's own URL gets its events, signed with the secret that a rotation returns", async t => {
  const given = await notifiedGateway(t)
  const receiver = await awaitedReceiver(t, answering(200))
  await given.send({ webhookUrl: receiver.url })
  const [before] = await receiver.received(2)
  const rotated = await given.api('POST', '/rotate')
  const secret = String(rotated.json?.data['secret'])
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.ok(before)
  assert.throws(() => check(before, secret))
  await given.send({ webhookUrl: receiver.url })
  const after = (await receiver.received(4)).at(-1)
  assert.ok(after)
  check(after, secret)
  const own = await given.register(receiver.url)
  assert.equal(own, 'null')
  assert.equal((await given.api('DELETE', '')).json?.data['url'], receiver.url)
  assert.equal((await given.api('DELETE', '')).status, 404)
  assert.equal((await given.api('GET', '')).json?.data['url'], null)
})

test('hostile URLs are refused with a reason by both settings, and nothing connects to them', async t => {
  const trap = await startTcpReceiver(socket => socket.destroy())
  t.after(() => trap.close())
  const { gateway, owner } = await guardedGateway(t)
  const hostile = HOSTILE_URLS.map(([url]) => url.replace('{port}', String(trap.port)))
  assert.ok(hostile.length >= 60)
  const asked = [...hostile, `${gateway.url}/api/v1/sms`, `${gateway.url.replace('127.0.0.1', '127.1')}/`]
  for (const url of asked) {
    const put = await gateway.call('PUT', '/api/v1/notifications', { token: owner.token, json: { url } })
    const send = await gateway.call('POST', '/api/v1/sms/send', {
      key: owner.liveKey,
      json: { phoneNumber: '+14155550123', message: 'hello', webhookUrl: url },
    })
    for (const [answer, path] of [
      [put, 'url'],
      [send, 'webhookUrl'],
    ] as const) {
      assert.equal(answer.status, 400, `${url}: ${answer.text}`)
      assert.equal(answer.json?.error.details?.issues?.[0]?.path, path, url)
    }
  }
  assert.equal(trap.connections(), 0)
})

test('events of a sandbox message may go to loopback, but not to the gateway, and no others may', async t => {
  const { gateway, owner } = await guardedGateway(t)
  const receiver = await awaitedReceiver(t, answering(204))
  const send = (key: string, webhookUrl: string) =>
    gateway.call('POST', '/api/v1/sms/send', {
      key,
      json: { phoneNumber: '+14155550123', message: 'hello', webhookUrl },
    })
  const { port } = new URL(receiver.url)
  for (const [index, host] of ['127.0.0.1', 'localhost'].entries()) {
    assert.equal((await send(owner.testKey, `http://${host}:${port}/`)).status, 200)
    const requests = await receiver.received(2 * (index + 1))
    for (const { body } of requests) assert.equal(JSON.parse(body).data.test, true)
  }
  const ownPort = new URL(gateway.url).port
  for (const [key, url] of [
    [owner.liveKey, `http://127.0.0.1:${port}/`],
    [owner.liveKey, `http://localhost:${port}/`],
    [owner.testKey, gateway.url],
    [owner.testKey, `http://localhost:${ownPort}/`],
    [owner.testKey, `http://127.0.0.9:${ownPort}/`],
    [owner.testKey, `http://169.254.169.254:${port}/`],
  ] as const)
    assert.equal((await send(key, url)).json?.error.details?.issues?.[0]?.path, 'webhookUrl', url)
})

async function guardedGateway(t: TestContext) {
  const gateway = await startGateway({ config: { plans: PLANS_WITHOUT_CALL_LIMIT } })
  t.after(() => gateway.stop())
  return { gateway, owner: await gateway.owner() }
}

test('plans without notifications, keys in place of tokens and bad requests are refused', async t => {
  const given = await notifiedGateway(t)
  const { gateway } = given
  const poor = await gateway.account('poor@example.com', 'standard')
  const url = 'https://example.com/hook'
  const put = (token: string, json: unknown) => gateway.call('PUT', '/api/v1/notifications', { token, json })
  assert.equal((await put(poor.token, { url })).status, 403)
  for (const path of ['/rotate', '/test'])
    assert.equal(
      (await gateway.call('POST', `/api/v1/notifications${path}`, { token: poor.token })).status,
      403,
    )
  const byKey = { key: given.owner.liveKey, json: { url } }
  assert.equal((await gateway.call('PUT', '/api/v1/notifications', byKey)).status, 401)
  assert.equal((await given.api('POST', '/test')).status, 409)
  const refused = [{}, { url: 7 }, { url, events: [] }, { url, events: ['sms.sent', 'sms.sent'] }]
  for (const json of [...refused, { url, events: ['sms.read'] }, { url, events: 'sms.sent' }])
    assert.equal((await put(given.owner.token, json)).status, 400, JSON.stringify(json))
  const some = await put(given.owner.token, { url, events: ['sms.failed'] })
  assert.deepEqual(some.json?.data['events'], ['sms.failed'])
  for (const query of ['?status=gone', '?limit=0', '?cursor=x', '?since=yesterday', '?event=sms'])
    assert.equal((await given.api('GET', `/deliveries${query}`)).status, 400, query)
  assert.equal((await given.api('POST', '/deliveries/evt_unknown/replay')).status, 404)
})
