import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  answering,
  type Behaviour,
  closedPort,
  flooding,
  hangingAfterHeaders,
  type Receiver,
  resetting,
  silent,
  startReceiver,
  startTcpReceiver,
  trickling,
} from '#test/kit/rogue-receiver.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import {
  createDeliverer,
  type DelivererOptions,
  type DeliveryTarget,
} from '#transport/notification/deliver.ts'
import { createTargetPolicy, type TargetPolicySettings } from '#transport/notification/target-guard.ts'

const LOCAL: TargetPolicySettings = {
  allowedHosts: ['127.0.0.1'],
  allowPrivate: true,
  ownSockets: [],
  localAddresses: () => [],
}

function deliverer(t: TestContext, options: Partial<DelivererOptions> = {}) {
  const made = createDeliverer({ policy: createTargetPolicy(LOCAL), version: '1.2.3', ...options })
  t.after(() => made.close())
  return made
}

async function receiver(t: TestContext, behave: Behaviour, tls?: Parameters<typeof startReceiver>[1]) {
  const started = await startReceiver(behave, tls)
  t.after(() => started.close())
  return started
}

function post(url: string): DeliveryTarget {
  return { url, headers: { 'content-type': 'application/json', 'x-webhook-id': 'ntf_1' }, body: '{"é":1}' }
}

/** Short enough for a test, long enough for a busy machine to do what has to come before. */
const SHORT_MS = 150

test('a notification arrives as a POST with its headers, its exact bytes and the gateway as user agent', async t => {
  const target = await receiver(t, answering(204))
  const result = await deliverer(t).deliver(post(`${target.url}?a=1#part`))
  assert.deepEqual(
    { ...result, durationMs: 0 },
    {
      outcome: 'response',
      status: 204,
      error: null,
      retryAfterMs: null,
      durationMs: 0,
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
  test(`an answer of ${status} is reported as it is`, async t => {
    const target = await receiver(t, answering(status, {}, status === 204 ? '' : 'body'))
    const result = await deliverer(t).deliver(post(target.url))
    assert.deepEqual([result.outcome, result.status, result.error], ['response', status, null])
  })
}

test('Retry-After is read as seconds and as a date by the injected clock', async t => {
  const clock = { nowMs: () => Date.parse('2026-01-01T00:00:00Z'), monotonicMs: () => 0 }
  const sender = deliverer(t, { clock })
  const bySeconds = await receiver(t, answering(429, { 'retry-after': '7' }))
  const byDate = await receiver(t, answering(503, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }))
  assert.equal((await sender.deliver(post(bySeconds.url))).retryAfterMs, 7_000)
  assert.equal((await sender.deliver(post(byDate.url))).retryAfterMs, 60_000)
})

test('a redirect is an answer and is not followed', async t => {
  const target = await receiver(t, (_request, response) => {
    response.writeHead(307, { location: '/hook' }).end()
  })
  const result = await deliverer(t).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status], ['response', 307])
  assert.equal(target.requests.length, 1)
})

test('cookies of an answer are not sent back', async t => {
  const target = await receiver(t, answering(200, { 'set-cookie': 'a=1' }))
  const sender = deliverer(t)
  await sender.deliver(post(target.url))
  await sender.deliver(post(target.url))
  assert.equal(target.requests.length, 2)
  assert.equal(target.requests[1]?.headers.cookie, undefined)
})

test('notifications that follow one another share a connection', async t => {
  const target = await receiver(t, answering(200, {}, 'ok'))
  const sender = deliverer(t)
  for (let turn = 0; turn < 10; turn += 1) {
    await sender.deliver(post(target.url))
    // The pool takes a connection back after the answer was read, still in this turn of the event loop.
    await nextTurn()
  }
  assert.equal(target.requests.length, 10)
  assert.equal(target.connections(), 1)
})

test('with as many connections open as slots, none is kept for later', async t => {
  const targets = await Promise.all([1, 2, 3].map(() => receiver(t, answering(200, {}, 'ok'))))
  const sender = deliverer(t, { slots: { slots: 2 } })
  for (const target of targets) {
    await sender.deliver(post(target.url))
    await nextTurn()
  }
  const third = await sender.deliver(post(targets[2]?.url ?? ''))
  assert.equal(third.status, 200)
  assert.equal(targets[2]?.requests.at(-1)?.headers.connection, 'close')
  assert.equal(targets[0]?.requests[0]?.headers.connection, 'keep-alive')
})

test('connections that were closed make room for others to be kept', async t => {
  const closing = await receiver(t, answering(200, { connection: 'close' }))
  const target = await receiver(t, answering(200))
  const sender = deliverer(t, { slots: { slots: 2 } })
  for (let turn = 0; turn < 4; turn += 1) {
    await sender.deliver(post(closing.url))
    await nextTurn()
  }
  await sender.deliver(post(target.url))
  assert.equal(target.requests[0]?.headers.connection, 'keep-alive')
})

test('a receiver that hung leaves a slot for the others', async t => {
  const hanging = await receiver(t, silent)
  const target = await receiver(t, answering(200))
  const sender = deliverer(t, { slots: { slots: 2, slotsPerOrigin: 2 }, exchangeMs: SHORT_MS })
  await sender.deliver(post(hanging.url))
  const ended: string[] = []
  const send = (name: string, url: string) => sender.deliver(post(url)).then(() => ended.push(name))
  await Promise.all([send('hanging', hanging.url), send('hanging', hanging.url), send('well', target.url)])
  assert.deepEqual(ended, ['well', 'hanging', 'hanging'])
})

test('a receiver that refuses the connection is CONNECTION_REFUSED', async t => {
  const result = await deliverer(t).deliver(post(`http://127.0.0.1:${await closedPort()}/`))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', null, 'CONNECTION_REFUSED'])
})

test('a receiver that resets is RESET', async t => {
  const target = await receiver(t, resetting)
  assert.equal((await deliverer(t).deliver(post(target.url))).error, 'RESET')
})

test('a receiver that closes in the middle of an answer is RESET, with the status that came', async t => {
  const target = await receiver(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('half', () => response.socket?.destroy())
  })
  const result = await deliverer(t).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'RESET'])
})

test('a receiver that accepts and never answers is TIMEOUT', async t => {
  const target = await receiver(t, silent)
  const result = await deliverer(t, { exchangeMs: SHORT_MS }).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', null, 'TIMEOUT'])
  assert.ok(result.durationMs >= SHORT_MS - 5, `${result.durationMs} ms`)
  assert.equal(target.requests.length, 1)
})

test('a receiver that hangs after its headers is TIMEOUT: the answer never came whole', async t => {
  const target = await receiver(t, hangingAfterHeaders)
  const result = await deliverer(t, { exchangeMs: SHORT_MS }).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'TIMEOUT'])
})

test('a receiver that sends byte by byte is cut off at the time of the whole exchange', async t => {
  const target = await receiver(t, trickling(SHORT_MS / 10))
  const result = await deliverer(t, { exchangeMs: SHORT_MS }).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'TIMEOUT'])
})

test('a receiver that never finishes the TLS handshake is CONNECT_TIMEOUT', async t => {
  const target = await startTcpReceiver(() => {}, 'https')
  t.after(() => target.close())
  const result = await deliverer(t, { connectMs: SHORT_MS }).deliver(post(target.url))
  assert.equal(result.error, 'CONNECT_TIMEOUT')
})

test('a resolver that never answers is CONNECT_TIMEOUT', async t => {
  const resolve = () => new Promise<string[]>(() => {})
  const result = await deliverer(t, { connectMs: SHORT_MS, resolve }).deliver(post('http://slow.test/'))
  assert.equal(result.error, 'CONNECT_TIMEOUT')
})

test('a name without an address is DNS', async t => {
  const failing = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  assert.equal((await deliverer(t, { resolve: failing }).deliver(post('http://gone.test/'))).error, 'DNS')
  const empty = () => Promise.resolve([])
  assert.equal((await deliverer(t, { resolve: empty }).deliver(post('http://gone.test/'))).error, 'DNS')
})

test('10 MB of answer are not read: the connection is dropped after the bound', async t => {
  const sent = { bytes: 0 }
  const target = await receiver(t, flooding(10_485_760, sent))
  const result = await deliverer(t).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.status], ['response', 200])
  assert.ok(sent.bytes < 8_000_000, `${sent.bytes} bytes left the receiver`)
})

test('an answer that is no HTTP is PROTOCOL, and so are headers without end', async t => {
  const noise = await startTcpReceiver(socket => socket.end('220 mail.example ESMTP\r\n'))
  const endless = await startTcpReceiver(socket => {
    socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`)
  })
  t.after(() => Promise.all([noise.close(), endless.close()]))
  const sender = deliverer(t)
  assert.equal((await sender.deliver(post(noise.url))).error, 'PROTOCOL')
  assert.equal((await sender.deliver(post(endless.url))).error, 'PROTOCOL')
})

test('a certificate that nobody signed is TLS_UNTRUSTED, no certificate at all is TLS', async t => {
  const target = await receiver(t, answering(200), selfSigned('receiver.test'))
  const plain = await receiver(t, answering(200))
  const sender = deliverer(t)
  assert.equal((await sender.deliver(post(target.url))).error, 'TLS_UNTRUSTED')
  assert.equal((await sender.deliver(post(`https://127.0.0.1:${plain.port}/`))).error, 'TLS')
  assert.equal(target.requests.length + plain.requests.length, 0)
})

test('with TLS the certificate is checked against the name in the URL, not the address', async t => {
  const tls = selfSigned('receiver.test')
  const target = await receiver(t, answering(200), tls)
  const sender = deliverer(t, { ca: tls.cert, resolve: () => Promise.resolve(['127.0.0.1']) })
  const right = await sender.deliver(post(`https://receiver.test:${target.port}/hook`))
  assert.deepEqual([right.status, right.error], [200, null])
  assert.equal(target.requests[0]?.headers.host, `receiver.test:${target.port}`)
  const wrong = await sender.deliver(post(`https://other.test:${target.port}/hook`))
  assert.equal(wrong.error, 'TLS_NAME_MISMATCH')
})

test('a refused target is REFUSED_TARGET and never connected to', async t => {
  const target = await receiver(t, answering(200))
  const policy = createTargetPolicy({ ...LOCAL, allowedHosts: [] })
  const result = await deliverer(t, { policy }).deliver(post(target.url))
  assert.deepEqual([result.outcome, result.error], ['error', 'REFUSED_TARGET'])
  assert.equal(target.connections(), 0)
})

test('no more than four exchanges run with one origin, and the others have their turn', async t => {
  const held: (() => void)[] = []
  const target: Receiver = await receiver(t, (_request, response) => {
    held.push(() => response.end('ok'))
    if (held.length === 4) setImmediate(release)
  })
  const release = () => {
    const together = held.splice(0)
    assert.ok(together.length <= 4)
    for (const answer of together) answer()
  }
  const sender = deliverer(t)
  const results = await Promise.all(Array.from({ length: 12 }, () => sender.deliver(post(target.url))))
  assert.deepEqual(new Set(results.map(result => result.status)), new Set([200]))
  assert.equal(target.connections(), 4)
})

test('what finds no place to wait is OVERLOADED and was not sent', async t => {
  const target = await receiver(t, silent)
  const slots = { slots: 1, slotsPerOrigin: 1, waiting: 1 }
  const sender = deliverer(t, { slots, exchangeMs: SHORT_MS })
  const results = await Promise.all([1, 2, 3].map(() => sender.deliver(post(target.url))))
  assert.deepEqual(
    results.map(result => result.error),
    ['TIMEOUT', 'TIMEOUT', 'OVERLOADED'],
  )
})

test('closing ends what is under way and what waits with STOPPED', async t => {
  const arrived = Promise.withResolvers<void>()
  const target = await receiver(t, () => arrived.resolve())
  const sender = createDeliverer({
    policy: createTargetPolicy(LOCAL),
    version: '1',
    slots: { slots: 1, slotsPerOrigin: 1 },
  })
  const both = Promise.all([sender.deliver(post(target.url)), sender.deliver(post(target.url))])
  await arrived.promise
  await sender.close()
  assert.deepEqual(
    (await both).map(result => result.error),
    ['STOPPED', 'STOPPED'],
  )
  assert.equal((await sender.deliver(post(target.url))).error, 'STOPPED')
})

test('a header that cannot be sent is OTHER and reported, and the slot is free again', async t => {
  const target = await receiver(t, answering(200))
  const faults: unknown[] = []
  const sender = deliverer(t, { slots: { slots: 1 }, reportFault: fault => faults.push(fault) })
  const broken = { ...post(target.url), headers: { 'x-name': 'a\r\nb' } }
  assert.equal((await sender.deliver(broken)).error, 'OTHER')
  assert.equal(faults.length, 1)
  assert.equal((await sender.deliver(post(target.url))).status, 200)
})
