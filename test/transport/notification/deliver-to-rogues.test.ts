import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  localDeliverer,
  localReceiver,
  notificationTo,
  SHORT_MS,
  watchConnections,
} from '#test/kit/local-delivery.ts'
import {
  answering,
  closedPort,
  flooding,
  hangingAfterHeaders,
  resetting,
  silent,
  startTcpReceiver,
  trickling,
} from '#test/kit/rogue-receiver.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { NOTIFICATION_ANSWER_BYTES_MAX } from '#transport/notification/deliver.ts'

test('a receiver that refuses the connection gives CONNECTION_REFUSED', async t => {
  const result = await localDeliverer(t).deliver(notificationTo(`http://127.0.0.1:${await closedPort()}/`))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', null, 'CONNECTION_REFUSED'])
})

test('a receiver that resets gives RESET', async t => {
  const target = await localReceiver(t, resetting)
  assert.equal((await localDeliverer(t).deliver(notificationTo(target.url))).error, 'RESET')
})

test('a receiver that closes in the middle of an answer gives RESET, with the status that came', async t => {
  const target = await localReceiver(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('half', () => response.socket?.destroy())
  })
  const result = await localDeliverer(t).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'RESET'])
})

test('a receiver that accepts and never answers gives TIMEOUT', async t => {
  const target = await localReceiver(t, silent)
  const result = await localDeliverer(t, { exchangeMs: SHORT_MS }).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', null, 'TIMEOUT'])
  assert.ok(result.durationMs >= SHORT_MS - 5, `${result.durationMs} ms`)
  assert.equal(target.requests.length, 1)
})

test('a receiver that hangs after its headers gives TIMEOUT, because the answer is incomplete', async t => {
  const target = await localReceiver(t, hangingAfterHeaders)
  const result = await localDeliverer(t, { exchangeMs: SHORT_MS }).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'TIMEOUT'])
})

test('a receiver that sends byte by byte is cut off at the time limit of the whole exchange', async t => {
  const target = await localReceiver(t, trickling(SHORT_MS / 10))
  const result = await localDeliverer(t, { exchangeMs: SHORT_MS }).deliver(notificationTo(target.url))
  assert.deepEqual([result.outcome, result.status, result.error], ['error', 200, 'TIMEOUT'])
})

test('a receiver that never finishes the TLS handshake gives CONNECT_TIMEOUT', async t => {
  const target = await startTcpReceiver(() => {}, 'https')
  t.after(() => target.close())
  const result = await localDeliverer(t, { connectMs: SHORT_MS }).deliver(notificationTo(target.url))
  assert.equal(result.error, 'CONNECT_TIMEOUT')
})

test('a resolver that never answers gives CONNECT_TIMEOUT', async t => {
  const resolve = () => new Promise<string[]>(() => {})
  const result = await localDeliverer(t, { connectMs: SHORT_MS, resolve }).deliver(
    notificationTo('http://slow.test/'),
  )
  assert.equal(result.error, 'CONNECT_TIMEOUT')
})

test('a name without an address gives DNS', async t => {
  const failing = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  assert.equal(
    (await localDeliverer(t, { resolve: failing }).deliver(notificationTo('http://gone.test/'))).error,
    'DNS',
  )
  const empty = () => Promise.resolve([])
  assert.equal(
    (await localDeliverer(t, { resolve: empty }).deliver(notificationTo('http://gone.test/'))).error,
    'DNS',
  )
})

test('an answer that is not HTTP gives PROTOCOL, and so do endless headers', async t => {
  const noise = await startTcpReceiver(socket => socket.end('220 mail.example ESMTP\r\n'))
  const endless = await startTcpReceiver(socket => {
    socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`)
  })
  t.after(() => Promise.all([noise.close(), endless.close()]))
  const sender = localDeliverer(t)
  assert.equal((await sender.deliver(notificationTo(noise.url))).error, 'PROTOCOL')
  assert.equal((await sender.deliver(notificationTo(endless.url))).error, 'PROTOCOL')
})

test('a self-signed certificate gives TLS_UNTRUSTED, and no certificate at all gives TLS', async t => {
  const target = await localReceiver(t, answering(200), selfSigned('receiver.test'))
  const plain = await localReceiver(t, answering(200))
  const sender = localDeliverer(t)
  assert.equal((await sender.deliver(notificationTo(target.url))).error, 'TLS_UNTRUSTED')
  assert.equal((await sender.deliver(notificationTo(`https://127.0.0.1:${plain.port}/`))).error, 'TLS')
  assert.equal(target.requests.length + plain.requests.length, 0)
})

test('with TLS the certificate is checked against the name in the URL, not the address', async t => {
  const tls = selfSigned('receiver.test')
  const target = await localReceiver(t, answering(200), tls)
  const sender = localDeliverer(t, { ca: tls.cert, resolve: () => Promise.resolve(['127.0.0.1']) })
  const right = await sender.deliver(notificationTo(`https://receiver.test:${target.port}/hook`))
  assert.deepEqual([right.status, right.error], [200, null])
  assert.equal(target.requests[0]?.headers.host, `receiver.test:${target.port}`)
  const wrong = await sender.deliver(notificationTo(`https://other.test:${target.port}/hook`))
  assert.equal(wrong.error, 'TLS_NAME_MISMATCH')
})

test('little more than the bound is read of an answer of 10 MB, and the connection is dropped', async t => {
  const sockets = watchConnections(t)
  const sender = localDeliverer(t)
  const target = await localReceiver(t, flooding(10_485_760))
  for (let turn = 0; turn < 3; turn += 1) {
    const result = await sender.deliver(notificationTo(target.url))
    assert.deepEqual([result.outcome, result.status], ['response', 200])
  }
  assert.equal(target.requests.length, 3)
  assert.equal(sockets.filter(({ bytesWritten }) => bytesWritten > 0).length, 3, 'no connection is reused')
  for (const socket of sockets) {
    assert.ok(socket.destroyed)
    assert.ok(socket.bytesRead <= 4 * NOTIFICATION_ANSWER_BYTES_MAX, `${socket.bytesRead} bytes were read`)
  }
})
