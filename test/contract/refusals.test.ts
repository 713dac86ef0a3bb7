import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type HostileGateway, type OwnHostileGateway, startHostile } from '#test/kit/hostile-gateway.ts'
import { rawRequest } from '#test/kit/raw-http.ts'
import { upgradeRequest } from '#test/kit/raw-websocket.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'

const ALLOWED: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/api/v1/sms/send', ['POST']],
  ['/api/v1/sms', ['GET', 'HEAD']],
  ['/api/v1/sms/msg_1', ['GET', 'HEAD', 'DELETE']],
  ['/api/v1/devices', ['GET', 'HEAD', 'POST']],
  ['/api/v1/devices/dev_1', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/api/v1/devices/pairings', ['POST']],
  ['/api/v1/account/usage', ['GET', 'HEAD']],
  ['/device/v1/pair', ['POST', 'GET', 'HEAD']],
  ['/device/v1/socket', ['GET', 'HEAD']],
  ['/device/v1/agent.mjs', ['GET', 'HEAD']],
  ['/healthz', ['GET', 'HEAD']],
  ['/readyz', ['GET', 'HEAD']],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'BREW', 'get']

describe('paths, methods and callers', () => {
  let it: HostileGateway
  beforeEach(async () => {
    it = await sharedHostile()
  })
  const key = () => ['X-API-Key', it.owner.testKey] as const

  for (const [path, methods] of ALLOWED)
    test(`${path} refuses other methods and names those it accepts`, async () => {
      const rows = it.rows()
      for (const method of METHODS) {
        if (methods.includes(method)) continue
        const answer = await it.ask({ method, path, headers: [key()] })
        assert.equal(answer.status, 405, method)
        assert.deepEqual(answer.headers['allow'], [methods.join(', ')], method)
      }
      assert.deepEqual(it.rows(), rows)
    })

  test('a refusal links to the row of the handbook that explains it', async () => {
    for (const [path, code] of [
      ['/api/v1/sms/msg_1', 'NOT_FOUND'],
      ['/api/v1/webhooks', 'UNAUTHORIZED'],
    ] as const) {
      const { headers } = await it.ask({ path, headers: code === 'NOT_FOUND' ? [key()] : [] })
      assert.deepEqual(headers['link'], [`</handbook/refusals#${code}>; rel="help"`])
    }
  })

  test('HEAD is GET without the body, and the connection stays open', async () => {
    for (const path of ['/healthz', '/readyz', '/api/v1/sms', '/api/v1/devices/dev_1', '/device/v1/pair']) {
      const got = await it.ask({ path, headers: [key()] })
      const head = await it.ask({ method: 'HEAD', path, headers: [key()] })
      assert.equal(head.status, got.status, path)
      assert.deepEqual(head.headers['content-length'], got.headers['content-length'], path)
    }
    const connection = await it.open()
    for (const [path, status] of [
      ['/healthz', 200],
      ['/api/v1/sms/send', 405],
      ['/nope', 404],
    ] as const) {
      connection.write(rawRequest({ method: 'HEAD', path }))
      assert.equal((await connection.next({ bodiless: true }))?.status, status)
    }
    connection.write(rawRequest({ path: '/healthz' }))
    const after = await connection.next()
    connection.close()
    assert.match(after?.head ?? '', /^HTTP\/1\.1 200 OK\r\n/)
  })

  test('an unknown path gets 404', async () => {
    const paths = ['/api', '/api/v1', '/api/v1/', '/api/v1/nope', '/api/v1/sms/', '/api/v1/devices/']
    const more = [
      '/api/v1/sms/a/b',
      '//api/v1/sms',
      '/API/V1/SMS',
      '/healthz/',
      '/device/v1',
      '/%61pi/v1/sms',
    ]
    for (const path of [...paths, ...more]) {
      const answer = await it.ask({ path, headers: [key()] })
      assert.equal(answer.code, 'NOT_FOUND', path)
    }
  })

  test('a request for the device socket without an upgrade gets a clear refusal', async () => {
    const answer = await it.ask({ path: '/device/v1/socket' })
    assert.equal(answer.code, 'INVALID_REQUEST')
    assert.match(answer.body, /WebSocket/)
  })

  test('an invalid credential counts as none', async () => {
    const { testKey, token } = it.owner
    const stale = await it.gateway.tokenOf(it.owner.accountId, -60)
    const [head = '', claims = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const bad: readonly (readonly [string, string])[] = [
      ['X-API-Key', ''],
      ['X-API-Key', `${testKey}x`],
      ['X-API-Key', testKey.slice(0, -1)],
      ['X-API-Key', testKey.replace('test', 'live')],
      ['X-API-Key', `sk_live_${'0'.repeat(38)}`],
      ['X-API-Key', testKey.toUpperCase()],
      ['X-API-Key', `Bearer ${testKey}`],
      ['X-API-Key', token],
      ['Authorization', token],
      ['Authorization', `Basic ${token}`],
      ['Authorization', `Bearer ${testKey}x`],
      ['Authorization', testKey],
      ['Authorization', `Basic ${testKey}`],
      ['Authorization', `Bearer ${token}x`],
      ['Authorization', `Bearer ${stale}`],
      ['Authorization', `Bearer ${none}.${claims}.`],
      ['Authorization', `Bearer ${head}.${claims}.`],
      ['Authorization', 'Bearer'],
      ['Authorization', 'Bearer a.b.c'],
    ]
    for (const header of bad) {
      const answer = await it.ask({ path: '/api/v1/devices', headers: [header] })
      assert.equal(answer.code, 'UNAUTHORIZED', header.join(': '))
    }
    const { status } = await it.ask({
      path: '/api/v1/devices',
      headers: [['Authorization', `bearer  ${token}`]],
    })
    assert.equal(status, 200)
  })

  test('an API key is refused on routes that need an account token', async () => {
    for (const [method, path] of [
      ['PATCH', '/api/v1/devices/dev_1'],
      ['DELETE', '/api/v1/devices/dev_1'],
      ['POST', '/api/v1/devices/pairings'],
    ] as const) {
      const answer = await it.ask({ method, path, headers: [key()], body: '{}' })
      assert.equal(answer.code, 'UNAUTHORIZED', path)
    }
  })

  test('a refused request counts towards the rate limit of its account, if that is known', async () => {
    const limitOf = async (path: string, headers: readonly (readonly [string, string])[]) =>
      (await it.ask({ path, headers })).headers['x-ratelimit-limit']?.join()
    for (const path of ['/api/v1/nope', '/api/v1/sms/send', '/api/v1/sms/msg_1', '/api/v1/sms?limit=0']) {
      assert.equal(await limitOf(path, [key()]), '-1', path)
      assert.equal(await limitOf(path, [['Authorization', `Bearer ${it.owner.token}`]]), '-1', path)
      assert.equal(await limitOf(path, []), '60000', path)
    }
  })
})

describe('callers without a known account', () => {
  let it: OwnHostileGateway
  before(async () => {
    it = await startHostile({ anonymous_calls_per_minute: 3, trusted_proxies: ['127.0.0.1'] })
  })
  after(() => it.gateway.stop())

  test('cannot choose their address with a header', async () => {
    const forwarded = (spoofed: string, real: string) =>
      [
        ['X-Forwarded-For', spoofed],
        ['X-Forwarded-For', real],
      ] as const
    const callers = {
      http: async (headers: ReturnType<typeof forwarded>) =>
        (await it.ask({ path: '/api/v1/devices', headers })).status,
      socket: async (headers: ReturnType<typeof forwarded>) => {
        const connection = await it.open()
        connection.write(upgradeRequest('wrong', headers))
        const answer = await connection.next()
        connection.close()
        return answer?.status
      },
    }
    for (const [at, name] of (['http', 'socket'] as const).entries()) {
      const seen: unknown[] = []
      for (let i = 0; i < 4; i++)
        seen.push(await callers[name](forwarded(`192.0.2.${i}`, `198.51.100.${at}`)))
      assert.deepEqual(seen, [401, 401, 401, 429])
    }
  })

  const paths = [
    '/api/v1/devices',
    '/api/v1/nope',
    '/api/v1/sms/send',
    '/device/v1/pair',
    '/device/v1/socket',
  ]
  test('are refused on every path once they used up their rate limit', async () => {
    const wrong = ['X-API-Key', `sk_live_${'0'.repeat(38)}`] as const
    for (const [at, path] of paths.entries()) {
      const from = ['X-Forwarded-For', `203.0.113.${at}`] as const
      const seen: number[] = []
      for (let i = 0; i < 4; i++) seen.push((await it.ask({ path, headers: [wrong, from] })).status)
      assert.equal(seen.indexOf(429), 3, `${path}: ${seen}`)
      const right = ['X-API-Key', it.owner.testKey] as const
      assert.equal((await it.ask({ path: '/api/v1/devices', headers: [right, from] })).status, 200)
    }
  })
})
