import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCAL, localDeliverer, localReceiver, notificationTo, SHORT_MS } from '#test/kit/local-delivery.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { answering, type Receiver, silent } from '#test/kit/rogue-receiver.ts'
import { createDeliverer } from '#transport/notification/deliver.ts'
import { createTargetPolicy } from '#transport/notification/target-guard.ts'

test('a notification arrives as a POST with its headers, its exact bytes and our user agent', async t => {
  const target = await localReceiver(t, answering(204))
  const result = await localDeliverer(t).deliver(notificationTo(`${target.url}?a=1#part`))
  assert.deepEqual(
    { ...result, durationMs: 0 },
    {
      outcome: 'response',
      status: 204,
      error: null,
      retryAfterMs: null,
      durationMs: 0,
      isPrivate: true,
    },
  )
  const [request] = target.requests
  assert.equal(request?.method, 'POST')
  assert.equal(request?.path, '/hook?a=1')
  assert.equal(request?.body, '{"é":1}')
  assert.equal(request?.headers['user-agent'], 'roost/1.2.3')
  assert.equal(request?.headers['x-webhook-id'], 'ntf_1')
  assert.equal(request?.headers['content-length'], '8')
  assert.equal(request?.headers.host, `127.0.0.1:${target.port}`)
})

for (const status of [200, 204, 299, 400, 404, 410, 500]) {
  test(`an answer of ${status} is reported unchanged`, async t => {
    const target = await localReceiver(t, answering(status, {}, status === 204 ? '' : 'body'))
    const result = await localDeliverer(t).deliver(notificationTo(target.url))
    assert.deepEqual([result.outcome, result.status, result.error], ['response', status, null])
  })
}

test('Retry-After is read as seconds and as a date by the injected clock', async t => {
  const clock = { nowMs: () => Date.parse('2026-01-01T00:00:00Z'), monotonicMs: () => 0 }
  const sender = localDeliverer(t, { clock })
  const bySeconds = await localReceiver(t, answering(429, { 'retry-after': '7' }))
  const byDate = await localReceiver(t, answering(503, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }))
  assert.equal((await sender.deliver(notificationTo(bySeconds.url))).retryAfterMs, 7_000)
  assert.equal((await sender.deliver(notificationTo(byDate.url))).retryAfterMs, 60_000)
})

test('a redirect is an answer and is not followed', async t => {
  const target = await localReceiver(t, (_request, response) => {
    response.writeHead(307, { location: '/hook' }).end()
  })
  const result = await localDeliverer(t).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.status], ['response', 307])
  assert.equal(target.requests.length, 1)
})

test('cookies of an answer are not sent back', async t => {
  const target = await localReceiver(t, answering(200, { 'set-cookie': 'a=1' }))
  const sender = localDeliverer(t)
  await sender.deliver(notificationTo(target.url))
  await sender.deliver(notificationTo(target.url))
  assert.equal(target.requests.length, 2)
  assert.equal(target.requests[1]?.headers.cookie, undefined)
})

test('notifications that follow one another share a connection', async t => {
  const target = await localReceiver(t, answering(200, {}, 'ok'))
  const sender = localDeliverer(t)
  for (let turn = 0; turn < 10; turn += 1) {
    await sender.deliver(notificationTo(target.url))
    // The pool gets the connection back in this turn of the event loop, after the answer was read.
    await nextTurn()
  }
  assert.equal(target.requests.length, 10)
  assert.equal(target.connections(), 1)
})

test('with as many open connections as slots, none is kept alive', async t => {
  const targets = await Promise.all([1, 2, 3].map(() => localReceiver(t, answering(200, {}, 'ok'))))
  const sender = localDeliverer(t, { slots: { slots: 2 } })
  for (const target of targets) {
    await sender.deliver(notificationTo(target.url))
    await nextTurn()
  }
  const third = await sender.deliver(notificationTo(targets[2]?.url ?? ''))
  assert.equal(third.status, 200)
  assert.equal(targets[2]?.requests.at(-1)?.headers.connection, 'close')
  assert.equal(targets[0]?.requests[0]?.headers.connection, 'keep-alive')
})

test('connections that were closed make room for others to be kept', async t => {
  const closing = await localReceiver(t, answering(200, { connection: 'close' }))
  const target = await localReceiver(t, answering(200))
  const sender = localDeliverer(t, { slots: { slots: 2 } })
  for (let turn = 0; turn < 4; turn += 1) {
    await sender.deliver(notificationTo(closing.url))
    await nextTurn()
  }
  await sender.deliver(notificationTo(target.url))
  assert.equal(target.requests[0]?.headers.connection, 'keep-alive')
})

test('a hanging receiver leaves a slot for others', async t => {
  const hanging = await localReceiver(t, silent)
  const target = await localReceiver(t, answering(200))
  const sender = localDeliverer(t, {
    slots: { slots: 2, slotsPerOrigin: 2 },
    exchangeMs: SHORT_MS,
  })
  await sender.deliver(notificationTo(hanging.url))
  const ended: string[] = []
  const send = (name: string, url: string) => sender.deliver(notificationTo(url)).then(() => ended.push(name))
  await Promise.all([send('hanging', hanging.url), send('hanging', hanging.url), send('well', target.url)])
  assert.deepEqual(ended, ['well', 'hanging', 'hanging'])
})

test('a refused target gives REFUSED_TARGET and no connection', async t => {
  const target = await localReceiver(t, answering(200))
  const policy = createTargetPolicy({ ...LOCAL, allowedHosts: [] })
  const result = await localDeliverer(t, { policy: () => policy }).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.error], ['error', 'REFUSED_TARGET'])
  assert.equal(target.connections(), 0)
})

test('at most four exchanges run with one origin, and other origins get their turn', async t => {
  const held: (() => void)[] = []
  const target: Receiver = await localReceiver(t, (_request, response) => {
    held.push(() => response.end('ok'))
    if (held.length === 4) setImmediate(release)
  })
  const release = () => {
    const together = held.splice(0)
    assert.ok(together.length <= 4)
    for (const answer of together) answer()
  }
  const sender = localDeliverer(t)
  const results = await Promise.all(
    Array.from({ length: 12 }, () => sender.deliver(notificationTo(target.url))),
  )
  assert.deepEqual(new Set(results.map(result => result.status)), new Set([200]))
  assert.equal(target.connections(), 4)
})

test('a delivery gives OVERLOADED and is not sent if no waiting place is free', async t => {
  const target = await localReceiver(t, silent)
  const slots = { slots: 1, slotsPerOrigin: 1, waiting: 1 }
  const sender = localDeliverer(t, { slots, exchangeMs: SHORT_MS })
  const results = await Promise.all([1, 2, 3].map(() => sender.deliver(notificationTo(target.url))))
  assert.deepEqual(
    results.map(result => result.error),
    ['TIMEOUT', 'TIMEOUT', 'OVERLOADED'],
  )
})

test('closing ends running and waiting deliveries with STOPPED', async t => {
  const arrived = Promise.withResolvers<void>()
  const target = await localReceiver(t, () => arrived.resolve())
  const sender = createDeliverer({
    policy: () => createTargetPolicy(LOCAL),
    version: '1',
    slots: { slots: 1, slotsPerOrigin: 1 },
  })
  const both = Promise.all([
    sender.deliver(notificationTo(target.url)),
    sender.deliver(notificationTo(target.url)),
  ])
  await arrived.promise
  await sender.close()
  assert.deepEqual(
    (await both).map(result => result.error),
    ['STOPPED', 'STOPPED'],
  )
  assert.equal((await sender.deliver(notificationTo(target.url))).error, 'STOPPED')
})

test('a header that cannot be sent gives OTHER, is reported, and frees the slot', async t => {
  const target = await localReceiver(t, answering(200))
  const faults: unknown[] = []
  const sender = localDeliverer(t, {
    slots: { slots: 1 },
    reportFault: fault => faults.push(fault),
  })
  const broken = { ...notificationTo(target.url), headers: { 'x-name': 'a\r\nb' } }
  assert.equal((await sender.deliver(broken)).error, 'OTHER')
  assert.equal(faults.length, 1)
  assert.equal((await sender.deliver(notificationTo(target.url))).status, 200)
})
