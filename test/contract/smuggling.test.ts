/** After a request that ends its connection, nothing else on that connection is carried out. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type OwnHostileGateway, startHostile } from '#test/kit/hostile-gateway.ts'
import { type RequestParts, rawRequest } from '#test/kit/raw-http.ts'

const BODY = JSON.stringify({ phoneNumber: '+15005550006', message: 'hello' })
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`

describe('a request that ends its connection', () => {
  let it: OwnHostileGateway
  before(async () => {
    it = await startHostile({ body_bytes_max: 4096 })
  })
  after(() => it.gateway.stop())

  const send = (headers: RequestParts['headers'] = [], body = BODY): Buffer =>
    rawRequest({
      method: 'POST',
      path: '/api/v1/sms/send',
      headers: [['X-API-Key', it.owner.testKey], ...headers],
      body,
    })
  const length = ['Content-Length', String(BODY.length)] as const
  const chunked = ['Transfer-Encoding', 'chunked'] as const
  const tooLong = `2000\r\n${'x'.repeat(8192)}\r\n0\r\n\r\n`

  const smuggled = () => send([], JSON.stringify({ phoneNumber: '+15005550006', message: 'smuggled' }))
  /** How many smuggled requests were carried out, after all earlier requests are committed. */
  const carriedOut = async (): Promise<number> => {
    const key = it.owner.testKey
    await it.gateway.call('POST', '/api/v1/sms/send', { key, json: JSON.parse(BODY) })
    const list = await it.gateway.call('GET', '/api/v1/sms?limit=200', { key })
    return list.json?.data.filter(message => message['message'] === 'smuggled').length ?? -1
  }

  const cases: readonly (readonly [string, () => Buffer, status: number])[] = [
    ['two lengths', () => send([length, length]), 400],
    ['two different lengths', () => send([length, ['Content-Length', '3']]), 400],
    ['an empty length', () => send([['Content-Length', '']], ''), 400],
    ['two encodings', () => send([chunked, chunked], CHUNKED), 400],
    [
      'two hosts',
      () =>
        send([
          ['Host', 'a'],
          ['Host', 'b'],
        ]),
      400,
    ],
    ['two keys', () => send([['X-API-Key', it.owner.testKey]]), 400],
    ['an upgrade with two hosts', () => upgrade(), 400],
    ['a body that is too long', () => send([['Content-Length', '5000']], 'x'.repeat(5000)), 413],
    ['a chunked body that is too long', () => send([chunked], tooLong), 413],
    ['a chunked body', () => send([chunked], CHUNKED), 200],
    ['Connection: close', () => send([['Connection', 'close']]), 200],
    ['Connection: Close among others', () => send([['Connection', 'x-trace, Close']]), 200],
  ]

  for (const [what, first, status] of cases) {
    test(`${what}: nothing behind it in the same segment is carried out`, async () => {
      const connection = await it.open()
      connection.write(Buffer.concat([first(), smuggled(), smuggled()]))
      const seen = await connection.closed()
      assert.ok((seen.match(/HTTP\/1\.1 /g)?.length ?? 0) <= 1, seen)
      assert.equal(await carriedOut(), 0)
    })

    test(`${what}: it is answered, and nothing behind it in a later segment is carried out`, async () => {
      const { port, hostname } = new URL(it.gateway.url)
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
      socket.on('error', () => {})
      let seen = ''
      const [head] = await new Promise<[Buffer]>(resolve => {
        socket.once('data', data => resolve([data]))
        socket.write(first())
      })
      seen += head.toString()
      socket.on('data', data => {
        seen += data.toString()
      })
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.write(smuggled())
      socket.end(smuggled())
      await closed
      assert.match(seen, new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nconnection: close\\r\\n`, 'i'))
      assert.equal(seen.match(/HTTP\/1\.1 /g)?.length, 1, seen)
      assert.equal(await carriedOut(), 0)
    })
  }

  function upgrade(): Buffer {
    return rawRequest({
      path: '/device/v1/socket',
      headers: [
        ['Host', 'a'],
        ['Host', 'b'],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'AQIDBAUGBwgJCgsMDQ4PEC=='],
      ],
    })
  }

  test('the next request of a client that does not read its answers ends the connection', async () => {
    const connection = await it.open()
    connection.pause()
    const asked = 400
    const many = Array.from({ length: asked }, () => rawRequest({ path: '/api/v1/openapi.json' }))
    connection.write(Buffer.concat(many))
    // When a later request is answered, the gateway has read all of them.
    await it.ask({ path: '/healthz' })
    await it.ask({ path: '/healthz' })
    connection.resume()
    const answers = (await connection.closed()).match(/HTTP\/1\.1 200/g)?.length ?? 0
    assert.ok(answers > 0 && answers < asked / 2, `${answers} answers`)
  })

  test('a slow reader gets a long answer completely, and the connection stays open', async () => {
    const connection = await it.open()
    const whole = (await it.ask({ path: '/api/v1/openapi.json' })).body
    for (let i = 0; i < 60; i += 1) {
      connection.pause()
      connection.write(rawRequest({ path: '/api/v1/openapi.json' }))
      await it.ask({ path: '/healthz' })
      connection.resume()
      assert.equal((await connection.next())?.body, whole)
    }
    connection.close()
  })
})
