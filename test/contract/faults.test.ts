import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { checkRawAnswer } from '#test/kit/hostile-gateway.ts'
import { RawConnection, type RequestParts, rawRequest } from '#test/kit/raw-http.ts'
import { type Behaviour, routesOver } from '#test/kit/throwing-routes.ts'
import { LargeBodies } from '#transport/http/large-bodies.ts'
import type { Route } from '#transport/http/route.ts'
import { type Server, startServer } from '#transport/http/start-server.ts'

const SECRET = 'a planted fault'
const KEY = `sk_live_${'0'.repeat(38)}`
/** One body for all routes: each ignores the fields that it does not know. */
const BODY = {
  ...{ phoneNumber: '+15005550006', message: 'x', code: '12345678', recipients: ['+15005550006'], name: 'x' },
  ...{ email: 'ann@example.org', password: 'correct horse battery', token: 'stp_x', payload: {} },
  ...{
    people: ['x'],
    devices: ['x'],
    days: 7,
    handover: 'mon 09:00',
    steps: [{ afterMinutes: 0, tell: ['per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'] }],
  },
  ...{ personId: 'x', from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' },
  ...{ currentPassword: 'correct horse battery', thing: 'x' },
  ...{ url: 'https://example.org', events: ['sms.sent'], since: '2026-01-01T00:00:00.000Z', kind: 'smsgate' },
  role: 'viewer',
}
const FORWARD = { ...BODY, kind: 'ntfy', from: null }

const SESSION: readonly (readonly [string, string])[] = [
  ['Cookie', 'roost_abc123=x'],
  ['X-Roost-Console', 'x'],
]

const servers: Server[] = []
after(async () => {
  for (const server of servers) await server.stop()
})

interface Rig {
  readonly routes: readonly Route[]
  readonly log: readonly LogEntry[]
  ask(route: Route): Promise<ReturnType<typeof checkRawAnswer>>
  exchange(parts: RequestParts): Promise<ReturnType<typeof checkRawAnswer>>
  askRaw(path: string): Promise<ReturnType<typeof checkRawAnswer>>
}

const token = { accountId: 'acc_1', jti: 'x', version: 0, expiresAt: 0 }
const principal = {
  accountId: 'acc_1',
  plan: 'pro',
  test: false,
  by: 'token',
  token,
  session: { id: 'ses_1', expiresAt: 0 },
}
const plan = {
  name: 'pro',
  smsPerDay: -1,
  twoFactorPerDay: -1,
  callsPerMinute: -1,
  devices: -1,
  notifications: true,
}

/** Starts the real server with the real routes. Every port behaves as `behave` says. */
async function serveOver(behave: Behaviour, options: { requestMsMax?: number; limiter?: never } = {}) {
  const port = await freePort()
  const config = { ...CONFIG_DEFAULTS, http: { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port } }
  const log: LogEntry[] = []
  const routes = await routesOver(behave)
  const listening = Promise.withResolvers<number | null>()
  const server = startServer({
    listener: 1,
    config,
    writer: Object.assign(Object.create(null), { ask: () => behave('ask'), waiting: 0 }),
    limiter: options.limiter ?? openLimiter(createLimiterBuffer()),
    plan: () => plan,
    large: new LargeBodies(1),
    log: entry => log.push(entry),
    credentials: {
      reader: {
        byToken: () => principal,
        byAccount: () => principal,
        device: () => behave('device'),
      } as never,
      keys: { find: () => principal } as never,
      sessions: { find: () => principal as never },
      cookieTag: 'abc123',
      verifyToken: () => ({ accountId: 'acc_1' }) as never,
    },
    routes,
    listening: listening.resolve,
    ...(options.requestMsMax !== undefined && { requestMsMax: options.requestMsMax }),
  })
  servers.push(server)
  assert.equal(await listening.promise, null)
  const exchange = async (parts: RequestParts) => {
    const connection = await RawConnection.open(`http://127.0.0.1:${port}`)
    connection.write(rawRequest(parts))
    const answer = await connection.next()
    connection.close()
    assert.ok(answer, parts.path)
    return checkRawAnswer(parts.method ?? 'GET', parts.path, answer)
  }
  const rig: Rig = {
    routes,
    log,
    exchange,
    askRaw: path => exchange({ path }),
    ask: route =>
      exchange({
        method: route.method.toUpperCase(),
        path: route.path
          .replace('{token}', 'x'.repeat(32))
          .replace('{shape}', '0123456789abcdef')
          .replace(/\{\w+\}/, 'msg_01M7YNH9877GX8FBZ8AMT8W3XR'),
        headers: [
          ['X-Request-Id', 'mine'],
          ...(route.access === 'session' ? SESSION : []),
          route.access === 'account' ? ['Authorization', 'Bearer token'] : ['X-API-Key', KEY],
        ],
        ...(route.body !== 'none' && {
          body: JSON.stringify(route.path.startsWith('/api/v1/forwards') ? FORWARD : BODY),
        }),
      }),
  }
  return rig
}

/** Routes that call no port, so that a failing port cannot break them. */
const HARMLESS = new Set(['/healthz', '/device/v1/agent.mjs', '/device/v1/socket', '/api/v1/live'])
const HARMLESS_GETS = new Set([
  ...['get /device/v1/pair', 'get /api/v1/session', 'get /', 'get /console/{file}', 'get /api/v1/docs'],
  ...['get /senders', 'get /senders/', 'get /senders/mail', 'get /senders/{file}'],
  ...['get /setup', 'get /handbook', 'get /handbook/{section}'],
])
const isHarmless = (route: Route) =>
  HARMLESS.has(route.path) || HARMLESS_GETS.has(`${route.method} ${route.path}`)

const faults: readonly (readonly [string, Behaviour])[] = [
  [
    'throws',
    () => {
      throw new Error(SECRET)
    },
  ],
  [
    'rejects',
    method => {
      if (method === 'ask') return Promise.reject(new Error(SECRET))
      throw new Error(SECRET)
    },
  ],
  [
    'throws a value that is not an Error',
    () => {
      throw SECRET
    },
  ],
]
for (const [what, behave] of faults)
  test(`every route whose ports fail (${what}) answers 500, with the reason only in the log`, async () => {
    const rig = await serveOver(behave)
    for (const route of rig.routes.filter(route => !isHarmless(route))) {
      const logged = rig.log.length
      const answer = await rig.ask(route)
      if (route.path === '/readyz') {
        assert.ok(answer.status >= 500)
        continue
      }
      assert.equal(answer.code, 'INTERNAL_ERROR', `${route.method} ${route.path}`)
      assert.deepEqual(answer.headers['x-request-id'], ['mine'])
      assert.ok(!answer.head.includes(SECRET) && !answer.body.includes(SECRET), answer.body)
      assert.equal(rig.log.length, logged + 1, route.path)
      assert.match(JSON.stringify(rig.log.at(-1)), /"mine".*a planted fault/)
      assert.equal((await rig.askRaw('/healthz')).status, 200)
    }
  })

/**
 * The first port that these routes call is a reader, and they do not await it. They take the rig's promise
 * for its result. So they fail at once, and do not wait for the deadline.
 */
const NOT_WAITING = [
  'get /api/v1/account/usage',
  'get /api/v1/keys',
  'get /api/v1/notifications/deliveries',
  'get /api/v1/usage/days',
  'get /api/v1/usage/days.csv',
  'get /api/v1/webhooks/{id}/readings',
  'get /api/v1/webhooks/{id}/triggers',
  'get /api/v1/webhooks/{id}/triggers/{seq}',
  'get /api/v1/notifications/deliveries/{id}',
  'get /api/v1/incidents',
  'get /api/v1/incidents/{id}',
  'get /api/v1/openapi.json',
  'get /api/v1/overview',
  'get /api/v1/audit',
  'get /api/v1/forwards',
  'get /api/v1/forwards/{id}',
  'get /api/v1/users',
  'get /api/v1/users/{id}',
  'get /api/v1/devices/{deviceId}/history',
  'get /api/v1/people',
  'get /api/v1/people/{id}',
  'get /api/v1/groups',
  'get /api/v1/groups/{id}',
  'get /api/v1/policies',
  'get /api/v1/policies/{id}',
  'get /api/v1/rotas',
  'get /api/v1/rotas/{id}',
  'get /api/v1/rotas/{id}/turns',
  'get /api/v1/opt-outs',
  'get /api/v1/received',
  'get /api/v1/received.csv',
  'get /api/v1/received/{id}',
  'get /api/v1/sessions',
  'get /api/v1/sms',
  'get /api/v1/sms.csv',
  'get /api/v1/sms/{messageId}',
  'get /api/v1/texts',
  'get /api/v1/texts.csv',
  'get /api/v1/webhook/{token}',
  'get /api/v1/webhook/{token}/{ping}',
  'post /api/v1/webhook/{token}/{ping}',
  'get /api/v1/webhooks',
  'get /api/v1/webhooks/{id}',
  'post /api/v1/webhook/{token}',
  'put /api/v1/webhook/{token}',
  'post /api/v1/invitations',
  'post /api/v1/people',
  'patch /api/v1/people/{id}',
  'post /api/v1/webhooks',
  'patch /api/v1/webhooks/{id}',
]

test('every route that waits for another thread answers 503 at the deadline', async () => {
  const never = new Promise<never>(() => {})
  const rig = await serveOver(name => (name === 'refusalOfTarget' ? null : never), { requestMsMax: 50 })
  const asking = rig.routes.filter(route => !isHarmless(route))
  const answers = await Promise.all(
    asking.map(async route => [`${route.method} ${route.path}`, await rig.ask(route)] as const),
  )
  const prompt = answers.filter(([, answer]) => answer.code !== 'SERVICE_UNAVAILABLE').map(([name]) => name)
  // On a busy machine some of these routes may be late as well.
  assert.deepEqual(
    prompt.filter(name => !NOT_WAITING.includes(name)),
    [],
  )
})

test('a body that never ends is answered 503 at the deadline, and the connection closes', async () => {
  const rig = await serveOver(() => null, { requestMsMax: 50 })
  const headers = [
    ['X-API-Key', KEY],
    ['Content-Length', '100'],
  ] as const
  const answer = await rig.exchange({ method: 'POST', path: '/api/v1/sms/send', headers, body: '{"phone' })
  assert.equal(answer.code, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(answer.headers['connection'], ['close'])
})

test('a failing limiter breaks one answer, not the process', async () => {
  const broken = () => {
    throw new Error(SECRET)
  }
  const rig = await serveOver(() => null, { limiter: { take: broken, peek: broken } as never })
  // The answer is a 500 without the headers of the rate limit, which the contract requires. So the check in
  // `askRaw` rejects it.
  await assert.rejects(rig.askRaw('/api/v1/nope'), /X-RateLimit-Limit: .* → 500 /)
  assert.match(JSON.stringify(rig.log), /a planted fault/)
  assert.equal((await rig.askRaw('/healthz')).status, 200)
})
