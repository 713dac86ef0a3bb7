/**
 * A table of refusals by every dialect of another gateway. Each has the format of that gateway, sends no
 * text, and contains no credential. Nor does the log.
 */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone
let token: string

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  const { url } = await new WebhookCalls(gateway, owner.token).create({})
  token = url.split('/').at(-1) ?? ''
})
afterEach(() => phone.disconnect())

const TO = '+14155550123'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

interface Shape {
  readonly name: string
  readonly send: (key: string, text: string) => Promise<TestAnswer>
  /** A path that this dialect does not have. */
  readonly unknown: string
  /** The message of a refusal in this format. */
  readonly wordsOf: (answer: TestAnswer) => unknown
  /** Statuses of this dialect that differ from Roost's, by Roost's status. */
  readonly statuses?: Readonly<Record<number, number>>
}

const inJson = (pick: (json: never) => unknown) => (answer: TestAnswer) =>
  pick(JSON.parse(answer.text) as never)
const inWords = (answer: TestAnswer) =>
  /^text\/plain/.test(answer.headers.get('content-type') ?? '') && !answer.text.includes('OK') && answer.text

const SHAPES: readonly Shape[] = [
  {
    name: 'signal-cli-rest-api',
    send: (key, message) =>
      gateway.call('POST', `/signal/${key}/v2/send`, { json: { message, recipients: [TO] } }),
    unknown: '/signal/KEY/v2/nothing',
    wordsOf: inJson(({ error }: { error: unknown }) => error),
  },
  {
    name: 'SMSEagle v2',
    send: (key, text) =>
      gateway.call('POST', '/api/v2/messages/sms', {
        headers: { 'access-token': key },
        json: { to: [TO], text },
      }),
    unknown: '/api/v2/nothing',
    wordsOf: inJson(({ message }: { message: unknown }) => message),
  },
  {
    name: 'SMSEagle by query',
    send: (key, message) =>
      gateway.call('GET', `/index.php/http_api/send_sms?${query({ access_token: key, to: TO, message })}`),
    unknown: '/http_api/nothing',
    wordsOf: inWords,
  },
  {
    name: 'SMSEagle JSON-RPC',
    send: (key, message) =>
      gateway.call('POST', '/jsonrpc/sms', {
        json: { method: 'sms.send_sms', params: { access_token: key, to: TO, message } },
      }),
    unknown: '/jsonrpc/nothing',
    wordsOf: inJson(({ error }: { error: { message: unknown } }) => error.message),
  },
  {
    name: 'SMSGate',
    send: (key, text) =>
      gateway.call('POST', '/3rdparty/v1/message', {
        headers: { Authorization: basic(key) },
        json: { textMessage: { text }, phoneNumbers: [TO] },
      }),
    unknown: '/3rdparty/v1/nothing',
    wordsOf: inJson(({ message }: { message: unknown }) => message),
  },
  {
    name: 'Kannel',
    send: (password, text) =>
      gateway.call('GET', `/cgi-bin/sendsms?${query({ username: 'u', password, to: TO, text })}`),
    unknown: '/cgi-bin/nothing',
    wordsOf: inWords,
    statuses: { 401: 403 },
  },
  {
    name: 'Twilio',
    send: (key, Body) =>
      gateway.call('POST', '/2010-04-01/Accounts/AC0/Messages.json', {
        headers: { ...FORM, Authorization: basic(key) },
        body: query({ To: TO, From: '+14155550100', Body }),
      }),
    unknown: '/2010-04-01/Accounts/AC0/Nothing.json',
    wordsOf: inJson(({ code, message }: Record<string, unknown>) => typeof code === 'number' && message),
  },
  {
    name: 'httpSMS',
    send: (key, content) =>
      gateway.call('POST', '/v1/messages/send', { headers: { 'x-api-key': key }, json: { content, to: TO } }),
    unknown: '/v1/messages/nothing',
    wordsOf: inJson(({ status, message }: Record<string, unknown>) => status === 'error' && message),
  },
  {
    name: 'playSMS',
    send: (h, msg) => gateway.call('GET', `/?${query({ app: 'ws', u: 'u', h, op: 'pv', to: TO, msg })}`),
    unknown: '/index.php/nothing',
    wordsOf: inJson(({ status, error_string: words }: Record<string, unknown>) => status === 'ERR' && words),
  },
]

interface Case {
  readonly what: string
  readonly status: number
  /** The plan of another account. */
  readonly plan?: string
  readonly key?: () => string | Promise<string>
  readonly text?: string
}

const CASES: readonly Case[] = [
  { what: 'an unknown key', status: 401, key: () => 'sk_live_none' },
  { what: 'a revoked key', status: 401, key: revokedKey },
  { what: 'the token of a webhook', status: 401, key: () => token },
  { what: 'an account token', status: 401, key: () => owner.token },
  { what: 'a text that is too long', status: 400, key: () => owner.liveKey, text: 'x'.repeat(1601) },
  { what: 'an account without a phone', status: 503, plan: 'pro' },
  { what: 'an account over its daily quota', status: 429, plan: 'no text' },
]

async function revokedKey(): Promise<string> {
  const { key, record } = await gateway.ask('key.create', { email: owner.email, name: 'gone', test: false })
  await gateway.ask('key.revoke', { id: record.id, accountId: null })
  return key
}

/** The live key of a new account. It has a phone of its own, except with the plan `pro`. */
async function keyOf(plan: string): Promise<string> {
  const { liveKey, accountId } = await gateway.newAccount(plan)
  if (plan !== 'pro') {
    const other = await PairedPhone.pair(gateway, accountId)
    await other.connect(gateway.url)
    after(() => other.disconnect())
  }
  return liveKey
}

function checkRefusal(shape: Shape, answer: TestAnswer, status: number): void {
  assert.equal(answer.status, shape.statuses?.[status] ?? status, answer.text)
  const words = shape.wordsOf(answer)
  assert.ok(typeof words === 'string' && words.length > 5, answer.text)
  assert.ok(!answer.text.includes('"success"'), answer.text)
}

for (const shape of SHAPES) {
  test(`${shape.name}: every refusal has its format, sends no text and contains no credential`, async () => {
    const before = phone.sent.length
    for (const { what, status, plan, key, text = 'refused' } of CASES) {
      const credential = plan === undefined ? ((await key?.()) ?? '') : await keyOf(plan)
      const answer = await shape.send(credential, text)
      checkRefusal(shape, answer, status)
      assert.ok(!answer.text.includes(credential), what)
      assert.ok(!JSON.stringify(gateway.log).includes(credential), what)
    }
    assert.equal(phone.sent.length, before)
  })

  test(`${shape.name}: too many calls and unknown paths are refused in its format`, async () => {
    const { liveKey } = await gateway.newAccount('one call')
    await shape.send(liveKey, 'first')
    const answer = await shape.send(liveKey, 'second')
    checkRefusal(shape, answer, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    checkRefusal(shape, await gateway.call('POST', shape.unknown, { body: '{}' }), 404)
  })

  test(`${shape.name}: a sandbox key reaches no phone, and the text contains no key`, async () => {
    const before = phone.sent.length
    const { status, text } = await shape.send(owner.testKey, `${shape.name} ${owner.testKey} tested`)
    assert.ok(status < 300, text)
    const { text: listed } = await gateway.call('GET', '/api/v1/sms?limit=1', { key: owner.testKey })
    assert.ok(listed.includes(shape.name) && !listed.includes(owner.testKey))
    const { text: live } = await gateway.call('GET', '/api/v1/sms', { key: owner.liveKey })
    assert.ok(!live.includes(shape.name))
    assert.equal(phone.sent.length, before)
  })
}

test('POST /sms/send removes the key of the request from the text', async () => {
  const key = owner.testKey
  for (const headers of [
    { 'X-API-Key': key },
    { Authorization: `Bearer ${key}` },
    { Authorization: basic(key) },
  ]) {
    const json = { to: '+15005550006', body: `Test of ${key} by Kuma` }
    assert.equal((await gateway.call('POST', '/api/v1/sms/send', { headers, json })).status, 200)
    const { json: listed } = await gateway.call('GET', '/api/v1/sms?limit=1', { key })
    assert.equal(listed?.data[0]?.['message'], 'Test of  by Kuma')
    const alone = { to: '+15005550006', body: key }
    assert.equal((await gateway.call('POST', '/api/v1/sms/send', { headers, json: alone })).status, 400)
  }
})

test('a refusal names the field as the client wrote it', async () => {
  const headers = { Authorization: basic(owner.liveKey) }
  const account = '/2010-04-01/Accounts/AC0/Messages.json'
  const wrong = 'nobody'
  for (const [path, json, name] of [
    ['/v2/send', { message: 'x', recipients: [TO, wrong] }, 'recipients.1 '],
    ['/v2/send', { message: 'x', recipients: [] }, 'recipients '],
    ['/3rdparty/v1/messages', { textMessage: { text: 'x' }, phoneNumbers: [wrong] }, 'phoneNumbers '],
    ['/3rdparty/v1/messages', { phoneNumbers: [TO] }, 'textMessage.text '],
    ['/3rdparty/v1/messages', { message: 'x', phoneNumbers: [TO], simNumber: 0 }, 'simNumber '],
    ['/api/v2/messages/sms', { to: [TO] }, 'text '],
    ['/v1/messages/send', { to: TO, content: '' }, 'content '],
    [account, { To: wrong, Body: 'x' }, 'To '],
    [account, { To: TO, Body: '' }, 'Body '],
    [account, { To: TO, Body: 'x', StatusCallback: 'http://127.0.0.1/' }, 'StatusCallback '],
  ] as const) {
    const { status, text } = await gateway.call('POST', path, { headers, json })
    const { message, error } = JSON.parse(text)
    assert.equal(status, 400, text)
    assert.ok(String(message ?? error).startsWith(name), `${name}: ${text}`)
  }
  const noText = await gateway.call('GET', `/cgi-bin/sendsms?${query({ password: owner.liveKey, to: TO })}`)
  assert.match(noText.text, /^text /)
})

test('HEAD sends no text, although GET does', async () => {
  const key = owner.liveKey
  const fields = { access_token: key, password: key, h: key, to: TO, text: 'x', message: 'x', msg: 'x' }
  for (const path of ['/http_api/send_sms', '/cgi-bin/sendsms', '/index.php', '/'])
    assert.equal((await gateway.call('HEAD', `${path}?app=ws&op=pv&${query(fields)}`)).status, 405, path)
  const { text } = await gateway.call('GET', '/api/v1/sms?limit=1', { key })
  assert.ok(!text.includes('"message":"x"'))
})

test('a refusal because no phone is connected names no field that the dialect lacks', async () => {
  const key = await keyOf('pro')
  for (const { send, wordsOf } of SHAPES)
    assert.ok(!/queueIfOffline/.test(String(wordsOf(await send(key, 'x')))))
})

test('a slash at the end of a path of a dialect is ignored', async () => {
  const key = owner.testKey
  const headers = { Authorization: basic(key) }
  const text = { text: 'slash', message: 'slash', content: 'slash', to: TO }
  for (const [path, json] of [
    [`/signal/${key}/v2/send/`, { ...text, recipients: [TO] }],
    ['/api/v2/messages/sms/', text],
    ['/jsonrpc/sms/', { params: { ...text, access_token: key } }],
    ['/3rdparty/v1/messages/', { ...text, phoneNumbers: [TO] }],
    ['/cgi-bin/sendsms/', text],
    ['/2010-04-01/Accounts/AC0/Messages.json/', { To: TO, Body: 'slash' }],
    ['/v1/messages/send/', text],
    [`/${token}/`, { message: 'slash' }],
  ] as const) {
    const answer = await gateway.call('POST', path, { headers, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  }
  assert.equal((await gateway.call('GET', '/3rdparty/v1/health/')).status, 200)
})

test('Gotify’s path may follow a base address that ends in a slash', async () => {
  const before = phone.sent.length
  for (const [index, path] of ['//message', '/message/'].entries())
    assert.equal(
      (await gateway.call('POST', `${path}?token=${token}`, { json: { message: `m${index}` } })).status,
      200,
    )
  await phone.whenSent(before + 2)
})
