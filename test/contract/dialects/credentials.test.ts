/**
 * Calls every route of every dialect with every kind of credential, sent as that dialect sends it. Checks the
 * status and whether a text was sent. A route without a line in the table fails the test.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { sidOf } from '#domain/message/message-sid.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { basic } from '#test/kit/dialect-client.ts'
import { DIALECT_CREDENTIALS, DIALECT_ROWS, type DialectCredential } from '#test/kit/dialect-table.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'
import { dialectRoutes } from '#transport/http/dialects/dialect-routes.ts'

const TOKEN_PATH = '/3rdparty/v1/auth/token'
/** Credentials whose texts reach a phone. Texts of a sandbox key and its token do not. */
const TEXTING: readonly DialectCredential[] = ['live key', 'webhook token', 'token from the live key']

interface Carried {
  readonly secret: string
  readonly headers?: Record<string, string>
}

describe('credentials in the dialects of other gateways', () => {
  let gateway: SharedGateway
  let owner: TestAccount
  let phone: PairedPhone
  let message: string
  let credentials: Record<DialectCredential, Carried>

  before(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
    phone = await PairedPhone.pair(gateway, owner.accountId)
    await phone.connect(gateway.url)
    credentials = await carried()
    const json = { phoneNumber: '+14155550123', message: 'first' }
    const sent = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
    message = String(sent.json?.data['messageId'])
    await phone.whenSent(1)
  })
  after(() => phone.disconnect())

  async function tokenFrom(key: string, body: object): Promise<string> {
    const headers = { Authorization: basic(key) }
    const { status, text } = await gateway.call('POST', TOKEN_PATH, { headers, json: body })
    assert.equal(status, 201, text)
    return JSON.parse(text).access_token
  }

  async function carried(): Promise<Record<DialectCredential, Carried>> {
    const other = await gateway.newAccount()
    const revoked = await gateway.ask('key.create', { email: owner.email, name: 'gone', test: false })
    const orphan = await tokenFrom(revoked.key, {})
    await gateway.ask('key.revoke', { id: revoked.record.id, accountId: null })
    const { url } = await new WebhookCalls(gateway, owner.token).create({ maxPerHour: 1000 })
    const { code } = await gateway.ask('device.create-pairing', { accountId: owner.accountId, name: null })
    const device = await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    return {
      nothing: { secret: '' },
      'live key': { secret: owner.liveKey },
      'test key': { secret: owner.testKey },
      'key of another account': { secret: other.liveKey },
      'revoked key': { secret: revoked.key },
      'wrong key': { secret: `sk_live_${'0'.repeat(38)}` },
      'webhook token': { secret: url.split('/').at(-1) ?? '' },
      'account token': { secret: owner.token },
      'device token': { secret: device.token },
      session: { secret: '', headers: (await openSession(gateway, owner)).headers },
      'token from the live key': { secret: await tokenFrom(owner.liveKey, {}) },
      'token from the test key': { secret: await tokenFrom(owner.testKey, { scopes: ['all:any'] }) },
      'token to read': { secret: await tokenFrom(owner.liveKey, { scopes: ['messages:read', 'logs:read'] }) },
      'token from a revoked key': { secret: orphan },
    }
  }

  for (const [route, { ask, expect, texts }] of Object.entries(DIALECT_ROWS))
    test(route, async () => {
      const found: Record<string, number> = {}
      let count = phone.sent.length
      for (const [index, name] of DIALECT_CREDENTIALS.entries()) {
        const { secret, headers } = credentials[name]
        const { path, ...options } = ask(secret)
        const from = { 'X-Forwarded-For': `192.0.2.${index}` }
        const given = { ...options, headers: { ...options.headers, ...headers, ...from } }
        const target = path.replace('MESSAGE', message).replace('SID', sidOf(message))
        const method = route.split(' ')[0]?.toUpperCase() ?? ''
        const { status, text } = await gateway.call(method, target, given)
        found[name] = status
        // Only refusals are checked, because ntfy's successful answer contains the topic.
        const tells = status >= 300 && secret !== '' && text.includes(secret)
        assert.ok(!tells, `${name}: the refusal contains the credential`)
        const texted = texts === true && status < 300 && TEXTING.includes(name)
        if (texted) count = (await phone.whenSent(count + 1)).length
      }
      assert.deepEqual(found, expect)
      assert.equal(phone.sent.length, count)
    })

  test('every route of every dialect has a line, and the log contains no credential', () => {
    const anything: unknown = new Proxy(() => anything, { get: () => anything, apply: () => anything })
    const declared = dialectRoutes(CONFIG_DEFAULTS.dialects.enabled, anything as never)
    const names = declared.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(Object.keys(DIALECT_ROWS).sort(), names.sort())
    const log = JSON.stringify(gateway.log)
    for (const { secret } of Object.values(credentials)) assert.ok(secret === '' || !log.includes(secret))
  })

  test('a token of a dialect is refused everywhere else', async () => {
    const { secret } = credentials['token from the live key']
    for (const path of ['/api/v1/sms', '/api/v1/keys', '/api/v1/devices'])
      for (const options of [{ token: secret }, { key: secret }])
        assert.equal((await gateway.call('GET', path, options)).status, 401, path)
  })
})

describe('a token made from a key', () => {
  let gateway: SharedGateway
  let owner: TestAccount
  let key: string

  beforeEach(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
    key = owner.liveKey
  })

  const made = (json: object) =>
    gateway.call('POST', TOKEN_PATH, { headers: { Authorization: basic(key) }, json })

  test('is valid for the requested time, at most a day', async () => {
    const begun = Math.floor(Date.now() / 1000)
    for (const [ttl, lives] of [
      [3600, 3600],
      [1e9, 86_400],
      [0, 86_400],
      [undefined, 86_400],
    ] as const) {
      const { status, text } = await made({ ttl, scopes: ['messages:send'] })
      assert.equal(status, 201)
      const { id, token_type: type, access_token: token, expires_at: until } = JSON.parse(text)
      const { exp, jti, aud } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
      assert.deepEqual([type, jti, aud, exp], ['Bearer', id, 'roost-smsgate', Date.parse(until) / 1000])
      const ended = Math.floor(Date.now() / 1000)
      assert.ok(exp >= begun + lives && exp <= ended + lives, `${ttl}: ${until}`)
      assert.ok(!token.includes(key))
    }
  })

  test('is refused for an invalid scope or lifetime', async () => {
    for (const body of [
      { scopes: [] },
      { scopes: 'messages:send' },
      { scopes: [7] },
      { ttl: -1 },
      { ttl: 'x' },
    ]) {
      const { status, text } = await made(body)
      assert.deepEqual([status, JSON.parse(text).code], [400, 400], JSON.stringify(body))
      assert.match(JSON.parse(text).message, /^(scopes|ttl) must/)
    }
  })

  /** Lists the phones with this token. */
  const listed = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await gateway.call('GET', '/3rdparty/v1/devices', { headers })).status
  }
  const pairOf = async (json: object = { scopes: ['devices:list'] }) => JSON.parse((await made(json)).text)
  const refresh = (token: string) =>
    gateway.call('POST', `${TOKEN_PATH}/refresh`, { headers: { Authorization: `Bearer ${token}` } })
  const revoke = (jti: string, Authorization = basic(key)) =>
    gateway.call('DELETE', `${TOKEN_PATH}/${jti}`, { headers: { Authorization } })

  test('is refused after it is revoked, and so is its refresh token', async () => {
    const pair = await pairOf()
    const other = await pairOf()
    assert.equal(await listed(pair.access_token), 200)
    const { status, text } = await revoke(pair.id)
    assert.deepEqual([status, text], [204, ''])
    assert.equal(await listed(pair.access_token), 401)
    assert.equal((await refresh(pair.refresh_token)).status, 401)
    assert.equal(await listed(other.access_token), 200)
    assert.equal((await revoke(pair.id)).status, 204)
    assert.equal((await revoke('not%20an%20id')).status, 204)
  })

  test('is not revoked by another key', async () => {
    const pair = await pairOf()
    const another = await gateway.ask('key.create', { email: owner.email, name: 'x', test: false })
    assert.equal((await revoke(pair.id, basic(another.key))).status, 204)
    assert.equal(await listed(pair.access_token), 200)
  })

  test('is renewed once for the same scopes by a refresh token, which is accepted nowhere else', async () => {
    const pair = await pairOf()
    assert.equal(await listed(pair.refresh_token), 403)
    const { status, text } = await refresh(pair.refresh_token)
    assert.equal(status, 201, text)
    const next = JSON.parse(text)
    assert.equal(await listed(next.access_token), 200)
    const headers = { Authorization: `Bearer ${next.access_token}` }
    assert.equal((await gateway.call('GET', '/3rdparty/v1/messages', { headers })).status, 403)
    const last = JSON.parse((await refresh(next.refresh_token)).text)
    assert.equal(await listed(last.access_token), 200)
  })

  /** A pair of tokens with all scopes, a pair that renewed it, and a pair that was made with its token. */
  const familyOf = async () => {
    const first = await pairOf({})
    const renewed = JSON.parse((await refresh(first.refresh_token)).text)
    const headers = { Authorization: `Bearer ${renewed.access_token}` }
    const child = JSON.parse((await gateway.call('POST', TOKEN_PATH, { headers, json: {} })).text)
    const all = [first, renewed, child]
    const works = () => Promise.all(all.map(pair => listed(pair.access_token)))
    assert.deepEqual(await works(), [200, 200, 200])
    return { all, works }
  }

  test('ends with all tokens of its family when a refresh token is used twice', async () => {
    const { all, works } = await familyOf()
    const other = await pairOf()
    assert.equal((await refresh(all[0].refresh_token)).status, 401)
    assert.deepEqual(await works(), [401, 401, 401])
    for (const pair of all) assert.equal((await refresh(pair.refresh_token)).status, 401)
    assert.equal(await listed(other.access_token), 200)
  })

  for (const [index, which] of ['the first', 'the renewed', 'the child'].entries())
    test(`ends with all tokens of its family when ${which} one is revoked`, async () => {
      const { all, works } = await familyOf()
      assert.equal((await revoke(all[index].id)).status, 204)
      assert.deepEqual(await works(), [401, 401, 401])
      for (const pair of all) assert.equal((await refresh(pair.refresh_token)).status, 401)
    })

  test('that was never issued leaves nothing behind when it is revoked', async () => {
    const rows = () => {
      const database = new DatabaseSync(dataDirectory(gateway.dataDir).database, { readOnly: true })
      const count = database.prepare(`
        SELECT (SELECT count(*) FROM revoked_token) + (SELECT count(*) FROM key_token_chain) AS count`)
      const found = count.get()?.['count']
      database.close()
      return found
    }
    const before = rows()
    for (const id of ['made-up', `${randomUUID()}_AAAAAAAA`]) assert.equal((await revoke(id)).status, 204)
    assert.equal(rows(), before)
  })

  test('that may create tokens cannot give them a scope that it lacks', async () => {
    const pair = await pairOf({ scopes: ['tokens:manage', 'devices:list'] })
    const headers = { Authorization: `Bearer ${pair.access_token}` }
    const { status, text } = await gateway.call('POST', TOKEN_PATH, {
      headers,
      json: { scopes: ['all:any'] },
    })
    assert.equal(status, 201)
    const { access_token: token } = JSON.parse(text)
    assert.equal(await listed(token), 200)
    const asked = await gateway.call('GET', '/3rdparty/v1/messages', {
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.equal(asked.status, 403)
  })
})
