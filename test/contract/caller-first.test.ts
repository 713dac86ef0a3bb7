/**
 * The caller is known before the body is read. For each route, a caller without a credential sends a head
 * that announces a body, and no body. It must get its refusal at once. A route whose credential is in the
 * body cannot do that, so each is listed here, and its body has a lower limit.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DIALECTS } from '#contracts/config.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { type SharedGateway, startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { RawConnection, rawRequest } from '#test/kit/raw-http.ts'
import { appRoutes, declaredRoutes } from '#test/kit/routes.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { dialectRoutes } from '#transport/http/dialects/dialect-routes.ts'
import type { Route } from '#transport/http/route.ts'
import { STRANGER_BYTES_MAX } from '#transport/http/server.ts'

/** Routes whose credential is in the body. Give a new route a credential in its head instead. */
const CREDENTIAL_IN_BODY = [
  'post /',
  'post /api/v1/auth/login',
  'post /api/v1/invitations',
  'post /api/v1/session',
  'post /cgi-bin/sendsms',
  'post /device/v1/pair',
  'post /index.php',
  'post /jsonrpc/sms',
  'post /setup',
  'put /',
]

/**
 * Routes without a credential and without a count. Each answers the same to everybody, or counts by itself.
 */
const UNCOUNTED = [
  'get /',
  'get /ca',
  'get /ca.crt',
  'get /ca.pem',
  'get /console/{file}',
  'get /handbook',
  'get /handbook/{section}',
  'get /health',
  'get /healthz',
  'get /metrics',
  'get /readyz',
  'get /senders',
  'get /senders/',
  'get /senders/mail',
  'get /senders/{file}',
  'get /setup',
  'get /signal/{key}/v1/about',
  'get /signal/{key}/v1/health',
  'get /v1/about',
  'get /v1/health',
  'get /version',
]

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const ports = new Proxy({}, { get: () => () => undefined }) as DialectPorts
const routes = [...(await declaredRoutes()), ...dialectRoutes(DIALECTS, ports), ...appRoutes()]
/** Routes that count a call only when they have read its body. */
const COUNTED_BY_BODY = ['/cgi-bin/sendsms', '/index.php', '/jsonrpc/sms', '/']
const withBody = routes.filter(({ body }) => body !== 'none')
const inBody: readonly Route[] = withBody.filter(route => 'credential' in route)

describe('a caller who is not known', () => {
  let gateway: SharedGateway
  before(async () => {
    gateway = await sharedGateway()
  })

  const pathOf = (route: Route) =>
    route.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'token' ? 'x'.repeat(40) : `${name}1`))

  async function answerTo(route: Route, headers: readonly (readonly [string, string])[], body = '') {
    const connection = await RawConnection.open(gateway.url)
    try {
      const head = { method: route.method.toUpperCase(), path: pathOf(route), headers }
      connection.write(Buffer.concat([rawRequest(head), Buffer.from(body, 'latin1')]))
      return await connection.next()
    } finally {
      connection.close()
    }
  }

  for (const route of withBody.filter(one => !inBody.includes(one)))
    test(`is refused by ${nameOf(route)} before it has sent a body`, async () => {
      for (const extra of [
        [],
        [['Authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.AAAA']],
      ] as const) {
        const answer = await answerTo(route, [['Content-Length', '1000'], ...extra])
        // 503: a gateway without phones asks an unknown phone for patience.
        assert.ok([401, 403, 404, 429, 503].includes(answer?.status ?? 0), `${answer?.status}`)
      }
    })

  test('calls only routes with constant answers without being counted', () => {
    const isCounted = (path: string) => path.startsWith('/api/v1/') || path.startsWith('/device/')
    const uncounted = routes.filter(
      ({ access, body, path, ...route }) =>
        access === 'public' && body === 'none' && !('counted' in route) && !isCounted(path),
    )
    assert.deepEqual(new Set(uncounted.map(nameOf)), new Set(UNCOUNTED))
  })

  test('may send its credential in the body of few routes', () => {
    assert.deepEqual(inBody.map(nameOf).sort(), CREDENTIAL_IN_BODY)
  })

  for (const route of inBody)
    test(`may send only a short body to ${nameOf(route)}, packed or not`, async () => {
      const length = STRANGER_BYTES_MAX + 1
      assert.equal((await answerTo(route, [['Content-Length', String(length)]]))?.status, 413)
      const json = gzipSync(JSON.stringify({ message: 'x'.repeat(length) }))
      const headers = [
        ['Content-Length', String(json.length)],
        ['Content-Encoding', 'gzip'],
      ] as const
      assert.equal((await answerTo(route, headers, json.toString('latin1')))?.status, 413)
    })
})

describe('a body that has its credential', () => {
  let gateway: TestGateway
  before(async () => {
    const http = { anonymous_calls_per_minute: 60, listeners: 1, trusted_proxies: ['127.0.0.1'] }
    gateway = await startGateway({ config: { http } })
  })
  after(() => gateway.stop())

  const callsLeft = async (headers = {}) => {
    const look = await gateway.call('GET', '/api/v1/openapi.json', { headers })
    return Number(look.headers.get('x-ratelimit-remaining'))
  }
  const post = (path: string, body: string, type = 'application/json') =>
    gateway.call('POST', path, { headers: { 'Content-Type': type }, body })
  const jsonOf = (values: number) => JSON.stringify({ to: Array.from({ length: values - 1 }, () => 1) })
  const partsOf = (parts: number) =>
    `${'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n'.repeat(parts)}--b--\r\n`

  for (const path of COUNTED_BY_BODY)
    test(`counts as a call of ${path} also if it cannot be read`, async () => {
      const before = await callsLeft()
      const texts = await Promise.all(
        Array.from({ length: 8 }, async () => (await post(path, '{"to":')).text),
      )
      assert.ok(texts.every(text => text.includes('not valid JSON')))
      // The look itself counts, and the bucket fills meanwhile.
      assert.ok((await callsLeft()) <= before - 5)
    })

  test('counts as a call of its address if it is the wrong code of a registration', async () => {
    const app = new CloudApp(`${gateway.url}/smsgate/v1`)
    const from = { 'X-Forwarded-For': '192.0.2.1' }
    const register = (request: object) =>
      app.call('POST', '/device', { authorization: 'Code 00000000', headers: from, ...request })
    const answers = await Promise.all(Array.from({ length: 60 }, () => register({ json: {} })))
    assert.ok(answers.every(({ status }) => status === 401 || status === 429))
    const packed = await register({ body: 'x', headers: { ...from, 'Content-Encoding': 'gzip' } })
    assert.ok(packed.status === 415 || packed.status === 429, `${packed.status}`)
    // More than none, because the bucket fills meanwhile.
    assert.ok((await callsLeft(from)) < 30)
  })

  test('has at most 200 values', async () => {
    for (const path of COUNTED_BY_BODY) {
      assert.match((await post(path, jsonOf(201))).text, /more than 200 values/, path)
      assert.doesNotMatch((await post(path, jsonOf(200))).text, /more than 200 values/, path)
    }
  })

  test('has at most 64 parts, with its files', async () => {
    const type = 'multipart/form-data; boundary=b'
    for (const path of COUNTED_BY_BODY.filter(one => one !== '/')) {
      assert.match((await post(path, partsOf(65), type)).text, /more than 64 fields/, path)
      assert.doesNotMatch((await post(path, partsOf(64), type)).text, /more than 64 fields/, path)
    }
  })
})

describe('an address without calls left', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({ config: { http: { anonymous_calls_per_minute: 1, listeners: 1 } } })
    await gateway.call('GET', '/api/v1/openapi.json')
  })
  after(() => gateway.stop())

  test('gets no packed body unpacked', async () => {
    const body = new Uint8Array(gzipSync('{"topic":"x"}'))
    for (const route of inBody) {
      const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }
      const { status } = await gateway.call(route.method.toUpperCase(), route.path, { headers, body })
      assert.equal(status, 429, nameOf(route))
    }
  })

  test('gets no long body read, announced or in chunks', async () => {
    for (const path of COUNTED_BY_BODY)
      for (const length of [2048, 2049]) {
        const body = '{"to":'.padEnd(length)
        const chunks = `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        const connection = await RawConnection.open(gateway.url)
        const head = { method: 'POST', path, headers: [['Transfer-Encoding', 'chunked']] as const }
        connection.write(Buffer.concat([rawRequest(head), Buffer.from(chunks)]))
        const inChunks = (await connection.next())?.body.toString() ?? ''
        connection.close()
        for (const text of [inChunks, (await gateway.call('POST', path, { body })).text]) {
          assert.match(text, /too many calls|calls a minute/, path)
          assert.equal(text.includes('above 2048 bytes'), length > 2048, `${path} ${length}`)
        }
      }
  })

  test('still sends with a key in a plain body', async () => {
    const { testKey } = await gateway.owner()
    const params = { access_token: testKey, to: '+15005550006', message: 'hello' }
    const { status, text } = await gateway.call('POST', '/jsonrpc/sms', { json: { params } })
    assert.equal(status, 200, text)
  })
})
