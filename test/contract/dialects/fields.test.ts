/** Fields that a shape does not read: they are named, or refused where they ask for what Roost cannot do. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const TO = '+14155550123'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
})
afterEach(() => phone.disconnect())

type Fields = Readonly<Record<string, unknown>>
type Shape = (key: string, more: Fields) => CallOptions & { readonly method?: string; readonly path: string }

const form = (fields: Fields) => new URLSearchParams(fields as Record<string, string>).toString()

const SHAPES: Readonly<Record<string, { readonly ask: Shape; readonly refused: RegExp }>> = {
  'the API': {
    ask: (key, more) => ({
      path: '/api/v1/sms/send',
      key,
      json: { phoneNumber: TO, message: 'x', ...more },
    }),
    refused: /"code":"INVALID_REQUEST"/,
  },
  Twilio: {
    ask: (key, more) => ({
      path: '/2010-04-01/Accounts/AC0/Messages.json',
      headers: { Authorization: basic(key), ...FORM },
      body: form({ To: TO, From: '+14155550100', Body: 'x', ...more }),
    }),
    refused: /"code":20001,.*"status":400/,
  },
  httpSMS: {
    ask: (key, more) => ({
      path: '/v1/messages/send',
      headers: { 'x-api-key': key },
      json: { from: '+14155550100', to: TO, content: 'x', ...more },
    }),
    refused: /^\{"status":"error"/,
  },
  SMSGate: {
    ask: (key, more) => ({
      path: '/3rdparty/v1/messages',
      headers: { Authorization: basic(key) },
      json: { textMessage: { text: 'x' }, phoneNumbers: [TO], ...more },
    }),
    refused: /"code":400/,
  },
  signal: {
    ask: (key, more) => ({
      path: '/v2/send',
      headers: { Authorization: basic(key) },
      json: { message: 'x', recipients: [TO], ...more },
    }),
    refused: /^\{"error":/,
  },
  'SMSEagle, version 2': {
    ask: (key, more) => ({
      path: '/api/v2/messages/sms',
      headers: { 'access-token': key },
      json: { to: [TO], text: 'x', ...more },
    }),
    refused: /^\{"message":/,
  },
  'SMSEagle by JSON-RPC': {
    ask: (key, more) => ({
      path: '/jsonrpc/sms',
      json: { method: 'sms.send_sms', params: { access_token: key, to: TO, message: 'x', ...more } },
    }),
    refused: /"error":\{"code":-32000/,
  },
  'SMSEagle by query': {
    ask: (key, more) => ({
      method: 'GET',
      path: `/http_api/send_sms?${form({ access_token: key, to: TO, message: 'x', ...more })}`,
    }),
    refused: /^Wrong parameters/,
  },
  Kannel: {
    ask: (password, more) => ({
      path: '/cgi-bin/sendsms',
      headers: FORM,
      body: form({ username: 'u', password, to: TO, text: 'x', ...more }),
    }),
    refused: /is not possible/,
  },
  playSMS: {
    ask: (h, more) => ({
      path: '/index.php',
      headers: FORM,
      body: form({ app: 'ws', u: 'u', h, op: 'pv', to: TO, msg: 'x', ...more }),
    }),
    refused: /"status":"ERR"/,
  },
}

/** Real fields of the shapes, all of which ask for more than a text. */
const IMPOSSIBLE: readonly Fields[] = [
  { mediaUrl: 'http://192.0.2.1/a.jpg' },
  { MediaUrl: 'http://192.0.2.1/a.jpg' },
  { media: 'http://192.0.2.1/a.jpg' },
  { attachments: 'http://192.0.2.1/a.jpg' },
  { base64_attachments: 'aGVsbG8=' },
  { encrypted: 'true' },
  { isEncrypted: 'true' },
]

for (const [name, { ask, refused }] of Object.entries(SHAPES)) {
  const send = (more: Fields) => {
    const { method = 'POST', path, ...options } = ask(owner.liveKey, more)
    return gateway.call(method, path, options)
  }

  test(`${name}: fields that are not read are named, and the text goes`, async () => {
    const answer = await send({ flash: '1', sender_tag: 'a' })
    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.headers.get('x-roost-ignored'), 'flash, sender_tag')
    assert.equal((await send({})).headers.get('x-roost-ignored'), null)
    await phone.whenSent(2)
  })

  test(`${name}: what asks for more than a text is refused in the shape’s own way`, async () => {
    for (const more of IMPOSSIBLE) {
      const { status, text } = await send(more)
      assert.equal(status, 400, `${JSON.stringify(more)}: ${text}`)
      assert.match(text, refused)
      assert.match(text, new RegExp(`${Object.keys(more)[0]}.*is not possible`))
    }
    const { json } = await gateway.call('GET', '/api/v1/sms', { key: owner.liveKey })
    assert.deepEqual([json?.data, phone.sent.length], [[], 0])
  })
}

test('httpSMS: a client that says encrypted in JSON gets no ciphertext sent', async () => {
  const { path, ...options } = SHAPES['httpSMS']?.ask(owner.liveKey, { encrypted: true }) ?? { path: '' }
  assert.equal((await gateway.call('POST', path, options)).status, 400)
  const plain = SHAPES['httpSMS']?.ask(owner.liveKey, { encrypted: false }) ?? { path: '' }
  const answer = await gateway.call('POST', plain.path, plain)
  assert.deepEqual([answer.status, answer.headers.get('x-roost-ignored')], [200, null])
})
