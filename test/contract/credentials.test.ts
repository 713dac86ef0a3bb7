/**
 * Every route with every kind of credential: the exact status and code. A route without a line here fails
 * the test, so nobody adds one without deciding who may call it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { type CallOptions, startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { declaredRoutes } from '#test/kit/routes.ts'

const CREDENTIALS = [
  'nothing',
  'live key',
  'test key',
  'token',
  'key of another account',
  'token of another account',
  'revoked key',
  'expired token',
  'device token',
  'device token as key',
  'garbage',
  'key as token',
  'key as password',
] as const
type Credential = (typeof CREDENTIALS)[number]

interface Row {
  readonly json?: unknown
  /** Values for the `{…}` of the path. */
  readonly at?: string
  readonly expect: Readonly<Record<Credential, string>>
}

const DENIED = '401 UNAUTHORIZED'
const MISSING = '404 NOT_FOUND'
const INVALID = '400 INVALID_REQUEST'
const NO_PHONE = '503 NO_DEVICE_AVAILABLE'

const nobody = Object.fromEntries(CREDENTIALS.map(name => [name, DENIED])) as Record<Credential, string>

interface ByKey {
  readonly live: string
  readonly test: string
  readonly other: string
}

/** Takes keys and tokens; a token counts as a live key. */
function byKey({ live, test, other }: ByKey): Row['expect'] {
  return {
    ...nobody,
    'live key': live,
    'test key': test,
    token: live,
    'key of another account': other,
    'token of another account': other,
    'key as token': live,
    'key as password': live,
  }
}

/** Takes tokens alone. */
function byToken(own: string, other = own): Row['expect'] {
  return { ...nobody, token: own, 'token of another account': other }
}

function byAnybody(answer: string): Row['expect'] {
  return Object.fromEntries(CREDENTIALS.map(name => [name, answer])) as Record<Credential, string>
}

const SMS = { phoneNumber: '+15005550006', message: 'hello' }
const WEBHOOK = { name: 'alerts', recipients: ['+15005550006'] }
const ok = { live: '200', test: '200', other: '200' }

/** `at` names things of the owner: with another account's credential they are not there. */
const ROWS: Readonly<Record<string, Row>> = {
  'post /api/v1/sms/send': {
    json: SMS,
    expect: byKey({ live: NO_PHONE, test: '200', other: NO_PHONE }),
  },
  'get /api/v1/sms': { expect: byKey(ok) },
  'get /api/v1/sms/{messageId}': {
    at: 'live message',
    expect: byKey({ live: '200', test: MISSING, other: MISSING }),
  },
  'delete /api/v1/sms/{messageId}': {
    at: 'cancelled message',
    expect: byKey({ live: '409 CONFLICT', test: MISSING, other: MISSING }),
  },
  'get /api/v1/received': { expect: byKey(ok) },
  'get /api/v1/received/{id}': {
    at: 'received text',
    expect: byKey({ live: '200', test: MISSING, other: MISSING }),
  },
  'get /api/v1/devices': { expect: byKey(ok) },
  'get /api/v1/devices/{deviceId}': {
    at: 'device',
    expect: byKey({ live: '200', test: '200', other: MISSING }),
  },
  'patch /api/v1/devices/{deviceId}': {
    at: 'device',
    json: { name: 'kitchen' },
    expect: byToken('200', MISSING),
  },
  'delete /api/v1/devices/{deviceId}': { at: 'spare device', expect: byToken('200', MISSING) },
  'post /api/v1/devices/pairings': { json: {}, expect: byToken('200') },
  'get /api/v1/account/usage': { expect: byKey(ok) },
  'post /api/v1/auth/login': {
    json: { email: 'nobody', password: 'x' },
    expect: byAnybody(INVALID),
  },
  'post /api/v1/auth/logout': { expect: byToken('200') },
  'get /api/v1/keys': { expect: byToken('200') },
  'post /api/v1/keys': { json: { name: 'new' }, expect: byToken('200') },
  'delete /api/v1/keys/{id}': { at: 'spare key', expect: byToken('200', MISSING) },
  'post /api/v1/sms/2fa': {
    json: { phoneNumber: '+15005550006' },
    expect: byKey({ live: NO_PHONE, test: '200', other: NO_PHONE }),
  },
  'post /api/v1/sms/2fa/verify': {
    json: { phoneNumber: '+15005550006', code: '000000' },
    expect: byKey(ok),
  },
  'put /api/v1/notifications': {
    json: { url: 'https://hooks.example.org/roost', events: ['sms.sent'] },
    expect: byToken('200'),
  },
  'get /api/v1/notifications': { expect: byToken('200') },
  'delete /api/v1/notifications': { expect: byToken('200') },
  'post /api/v1/notifications/rotate': { expect: byToken('200') },
  'post /api/v1/notifications/test': { expect: byToken('409 CONFLICT') },
  'get /api/v1/notifications/deliveries': { expect: byToken('200') },
  'post /api/v1/notifications/deliveries/{id}/replay': {
    at: 'live message',
    expect: byToken(MISSING),
  },
  'post /api/v1/notifications/deliveries/replay': {
    json: { since: '2026-01-01T00:00:00.000Z' },
    expect: byToken('409 CONFLICT'),
  },
  'post /api/v1/webhook/{token}': { at: 'webhook token', json: SMS, expect: byAnybody('200') },
  'get /api/v1/webhook/{token}': { at: 'webhook token', expect: byAnybody('200') },
  'get /api/v1/webhooks': { expect: byToken('200') },
  'get /api/v1/webhooks/{id}': { at: 'webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks': { json: WEBHOOK, expect: byToken('200') },
  'patch /api/v1/webhooks/{id}': { at: 'webhook', json: { name: 'new' }, expect: byToken('200', MISSING) },
  'delete /api/v1/webhooks/{id}': { at: 'spare webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks/{id}/rotate': { at: 'webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks/preview': { json: { payload: SMS }, expect: byToken('200') },
  'get /setup': { expect: byAnybody('404') },
  'post /setup': { json: {}, expect: byAnybody(INVALID) },
  'post /device/v1/pair': { json: {}, expect: byAnybody(INVALID) },
  'get /device/v1/pair': { expect: byAnybody('200') },
  'get /device/v1/agent.mjs': { expect: byAnybody('200 or 404 NOT_FOUND') },
  'get /device/v1/socket': { expect: byAnybody(INVALID) },
  'get /healthz': { expect: byAnybody('200') },
  'get /readyz': { expect: byAnybody('200') },
  'get /metrics': { expect: byAnybody('200') },
  'get /api/v1/openapi.json': { expect: byAnybody('200') },
}

describe('credentials', () => {
  let gateway: TestGateway
  let credentials: Record<Credential, () => Promise<CallOptions>>
  let things: Record<string, string>

  before(async () => {
    gateway = await startGateway({
      config: { http: { anonymous_calls_per_minute: 60_000, trusted_proxies: ['127.0.0.1'] } },
    })
    const owner = await gateway.owner()
    const other = await gateway.account('other@example.org')
    const device = await pair(gateway, owner)
    credentials = await credentialsOf(gateway, { owner, other, deviceToken: device.token })
    things = await thingsOf(gateway, owner, device.deviceId)
  })
  after(() => gateway.stop())

  test('of every kind get what this table says, on every route', async t => {
    for (const route of await declaredRoutes()) {
      const name = `${route.method} ${route.path}`
      const row = ROWS[name]
      await t.test(name, async () => {
        assert.ok(row, 'this route has no line in the table of credentials')
        const found: Record<string, string> = {}
        // The one that may change things comes last: the others must not find them changed.
        for (const credential of [...CREDENTIALS].sort(
          (a, b) => Number(a === 'token') - Number(b === 'token'),
        )) {
          const path = route.path.replace(/\{\w+\}/, things[row.at ?? ''] ?? '')
          const given = await credentials[credential]()
          const options = {
            ...given,
            ...(row.json !== undefined && { json: row.json }),
            // From an address of its own, so that no failure slows down the next one.
            headers: { ...given.headers, 'X-Forwarded-For': `192.0.2.${CREDENTIALS.indexOf(credential)}` },
          }
          const { status, json } = await gateway.call(route.method.toUpperCase(), path, options)
          const answer = [status, json?.error?.code].filter(Boolean).join(' ')
          const wanted = row.expect[credential]
          found[credential] = wanted.split(' or ').includes(answer) ? wanted : answer
        }
        assert.deepEqual(found, row.expect)
      })
    }
  })

  test('are asked for on every declared route and no other line stands in the table', async () => {
    const declared = (await declaredRoutes()).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(Object.keys(ROWS).sort(), declared.sort())
  })
})

interface Callers {
  readonly owner: TestAccount
  readonly other: TestAccount
  readonly deviceToken: string
}

async function credentialsOf(
  gateway: TestGateway,
  { owner, other, deviceToken }: Callers,
): Promise<Record<Credential, () => Promise<CallOptions>>> {
  const revoked = await gateway.ask('key.create', { email: OWNER_EMAIL, name: 'revoked', test: false })
  await gateway.ask('key.revoke', { id: revoked.record.id, accountId: null })
  const expired = await gateway.tokenOf(owner.accountId, -1)
  const fixed = (options: CallOptions) => async () => options
  return {
    nothing: fixed({}),
    'live key': fixed({ key: owner.liveKey }),
    'test key': fixed({ key: owner.testKey }),
    // A new one each time: one of the routes logs it out.
    token: async () => ({ token: await gateway.tokenOf(owner.accountId) }),
    'key of another account': fixed({ key: other.liveKey }),
    'token of another account': async () => ({ token: await gateway.tokenOf(other.accountId) }),
    'revoked key': fixed({ key: revoked.key }),
    'expired token': fixed({ token: expired }),
    'device token': fixed({ token: deviceToken }),
    'device token as key': fixed({ key: deviceToken }),
    garbage: fixed({ key: 'sk_live_', token: 'garbage' }),
    'key as token': fixed({ token: owner.liveKey }),
    'key as password': fixed({ headers: { Authorization: `Basic ${btoa(`roost:${owner.liveKey}`)}` } }),
  }
}

/** What the paths of the table lead to, all of it the owner's. */
async function thingsOf(gateway: TestGateway, owner: TestAccount, deviceId: string) {
  const send = async () => {
    const json = { ...SMS, queueIfOffline: true }
    const { json: sent } = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
    return String(sent?.data['messageId'])
  }
  const cancelled = await send()
  await gateway.call('DELETE', `/api/v1/sms/${cancelled}`, { key: owner.liveKey })
  const spareKey = await gateway.ask('key.create', { email: OWNER_EMAIL, name: 'spare', test: false })
  const webhook = async () => {
    const { json } = await gateway.call('POST', '/api/v1/webhooks', { token: owner.token, json: WEBHOOK })
    return { id: String(json?.data['id']), token: String(json?.data['token']) }
  }
  const alerts = await webhook()
  return {
    '': '',
    webhook: alerts.id,
    'webhook token': alerts.token,
    'spare webhook': (await webhook()).id,
    'live message': await send(),
    'cancelled message': cancelled,
    device: deviceId,
    'received text': await handIn(gateway, owner),
    'spare device': (await pair(gateway, owner)).deviceId,
    'spare key': spareKey.record.id,
  }
}

async function pair(gateway: TestGateway, { accountId }: TestAccount) {
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
  return gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
}

/** The id of a text that came to a phone which is removed since. */
async function handIn(gateway: TestGateway, owner: TestAccount): Promise<string> {
  const { deviceId } = await pair(gateway, owner)
  const connection = { listener: 0, socket: 1 }
  const say = (frame: PhoneFrame) => gateway.ask('phone.frame', { deviceId, connection, frame })
  await say({ type: 'hello', protocol: 1, bootId: 'b', appVersion: '1', platform: 'test', sims: [] })
  await say({ type: 'received', id: '1', from: '+14155550144', message: 'hello', at: null, simSlot: null })
  await gateway.ask('device.remove', { accountId: owner.accountId, deviceId })
  const { json } = await gateway.call('GET', '/api/v1/received', { key: owner.liveKey })
  return String(json?.data[0]?.['id'])
}
