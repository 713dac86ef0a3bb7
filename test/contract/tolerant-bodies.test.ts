import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
})

const NUMBER = '+15005550006'
const FORM = 'application/x-www-form-urlencoded'

function post(path: string, options: CallOptions) {
  return gateway.call('POST', `/api/v1${path}`, { key: owner.testKey, ...options })
}

function typed(type: string, body: string): CallOptions {
  return { headers: { 'Content-Type': type }, body }
}

/** Sends a message and reads it back. */
async function sent(options: CallOptions): Promise<Record<string, unknown>> {
  const answer = await post('/sms/send', options)
  assert.equal(answer.status, 200, answer.text)
  const path = `/api/v1/sms/${answer.json?.data['messageId']}`
  return (await gateway.call('GET', path, { key: owner.testKey })).json?.data ?? {}
}

async function faults(path: string, options: CallOptions): Promise<readonly string[]> {
  const { status, json, text } = await post(path, options)
  assert.equal(status, 400, text)
  return (json?.error.details?.issues ?? []).map(issue => issue.path).sort()
}

const multipart = [
  '--b\r\nContent-Disposition: form-data; name="phoneNumber"\r\n\r\n',
  `${NUMBER}\r\n--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n`,
  '[backup] a=1&b=2\r\n--b--\r\n',
].join('')

const JSON_BODY = JSON.stringify({ phoneNumber: NUMBER, message: '[backup] a=1&b=2' })
const bodies: readonly (readonly [what: string, options: CallOptions])[] = [
  ['JSON declared as text', typed('text/plain', JSON_BODY)],
  ['JSON as curl declares it', typed(FORM, JSON_BODY)],
  ['JSON declared as something unknown', typed('x/y', ` ${JSON_BODY}`)],
  ['a form', typed(FORM, `phoneNumber=%2B15005550006&message=%5Bbackup%5D+a%3D1%26b%3D2`)],
  ['multipart fields', typed('multipart/form-data; boundary=b', multipart)],
]

suite('a send is read from', () => {
  for (const [what, options] of bodies)
    test(what, async () => {
      const { phoneNumber, message } = await sent(options)
      assert.deepEqual([phoneNumber, message], [NUMBER, '[backup] a=1&b=2'])
    })
})

test('a field for pictures is refused by its name, and an empty one is ignored and named', async () => {
  const send = { to: NUMBER, text: 'x' }
  for (const [field, value] of [
    ['mediaUrl', 'https://example.org/a.png'],
    ['MediaUrls', ['https://example.org/a.png']],
    ['media', { url: 'x' }],
    ['attachments', ['AAAA']],
  ] as const) {
    assert.deepEqual(await faults('/sms/send', { json: { ...send, [field]: value } }), [field])
    // One that is empty does not hide another.
    const beside = { ...send, mediaUrl: '', attachments: [], [field]: value }
    assert.deepEqual(await faults('/sms/send', { json: beside }), [field])
  }
  const empty = { ...send, mediaUrl: '', media: null, attachments: [] }
  const { status, headers } = await post('/sms/send', { json: empty })
  assert.deepEqual([status, headers.get('x-roost-ignored')], [200, 'mediaUrl, media, attachments'])
})

test('numbers and booleans of a form are converted to the type of the field', async () => {
  const form = 'to=%2B15005550006&message=4711&ttl=600&simSlot=&queueIfOffline=true&priority=high'
  const { createdAt, expiresAt, message } = await sent(typed(FORM, form))
  assert.equal(message, '4711')
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 600_000)
})

test('a form field that appears twice or has the wrong type is named in the refusal', async () => {
  assert.deepEqual(await faults('/sms/send', typed(FORM, 'to=%2B15005550006&to=%2B15005550001&body=x')), [
    'to',
  ])
  const wrong = 'to=%2B15005550006&body=x&ttl=soon&queueIfOffline=perhaps'
  assert.deepEqual(await faults('/sms/send', typed(FORM, wrong)), ['queueIfOffline', 'ttl'])
})

test('a text may be scheduled under the field names of other gateways, with any offset', async () => {
  const inAnHour = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3_600_000)
  const [day, clock] = [inAnHour.toISOString().slice(0, 10), inAnHour.toISOString().slice(11, 16)]
  const east = new Date(inAnHour.getTime() + 7_200_000).toISOString().slice(0, 19)
  for (const given of [inAnHour.toISOString(), `${day}T${clock}Z`, `${east}+02:00`, `${east}+0200`])
    for (const name of ['sendAt', 'scheduledAt', 'scheduleAt', 'send_at']) {
      const { sendAt, status, expiresAt } = await sent({
        json: { to: NUMBER, body: 'later', ttl: 60, [name]: given },
      })
      assert.deepEqual([sendAt, status], [inAnHour.toISOString(), 'queued'])
      assert.equal(Date.parse(String(expiresAt)), inAnHour.getTime() + 60_000)
    }
  const code = (name: string) => faults('/sms/2fa', { json: { phoneNumber: NUMBER, [name]: inAnHour } })
  for (const name of ['sendAt', 'send_at']) assert.deepEqual(await code(name), [name])
})

test('number and text may have the field names of other gateways', async () => {
  for (const to of ['to', 'number', 'recipient'])
    for (const body of ['body', 'text', 'content']) {
      const { phoneNumber, message } = await sent({ json: { [to]: NUMBER, [body]: 'hello' } })
      assert.deepEqual([phoneNumber, message], [NUMBER, 'hello'])
    }
})

test('the documented field names win, and a refusal names the field as it was sent', async () => {
  const json = { phoneNumber: NUMBER, to: '+436641234567', message: 'mine', text: 'theirs' }
  assert.equal((await sent({ json }))['message'], 'mine')
  assert.deepEqual(await faults('/sms/send', { json: { to: '0664', body: '' } }), ['body', 'to'])
  assert.deepEqual(await faults('/sms/send', { json: {} }), ['message', 'phoneNumber'])
})

test('capitals in names of fields do not matter, and of authentik the sentence is sent', async () => {
  const json = { From: 'authentik', To: NUMBER, Body: '123456', Message: 'Use this code: 123456' }
  assert.equal((await sent({ json }))['message'], 'Use this code: 123456')
  for (const [to, body] of [
    ['To', 'Body'],
    ['NUMBER', 'TEXT'],
    ['Recipient', 'Content'],
    ['PhoneNumber', 'message'],
  ] as const)
    assert.equal((await sent({ json: { [to]: NUMBER, [body]: 'hello' } }))['phoneNumber'], NUMBER, to)
  const form = await sent(typed(FORM, 'To=%2B15005550006&Body=x&TTL=600&QueueIfOffline=TRUE'))
  assert.equal(Date.parse(String(form['expiresAt'])) - Date.parse(String(form['createdAt'])), 600_000)
  assert.deepEqual(await faults('/sms/send', { json: { To: '0664', Body: '' } }), ['Body', 'To'])
  assert.equal((await sent({ json: { To: '+436641234567', to: NUMBER, text: 'x' } }))['phoneNumber'], NUMBER)
})

async function ignoredBy(path: string, options: CallOptions): Promise<string | null> {
  const key = options.token === undefined ? { key: owner.testKey } : {}
  const { status, headers, text } = await gateway.call('POST', `/api/v1${path}`, { ...key, ...options })
  assert.ok(status === 200 || status === 400, text)
  return headers.get('x-roost-ignored')
}

test('fields that Roost does not know are ignored, and named in X-Roost-Ignored', async () => {
  const json = { phoneNumber: NUMBER, message: 'hello' }
  assert.equal(await ignoredBy('/sms/send', { json: { ...json, ttl: 60, To: NUMBER } }), null)
  assert.equal(await ignoredBy('/sms/send', { json: { ...json, From: 'me', flash: true } }), 'From, flash')
  assert.equal(await ignoredBy('/sms/send', { json: { message: 'hello', sender: 'x' } }), 'sender')
  const form = typed(FORM, 'to=%2B15005550006&body=x&from=me')
  assert.equal(await ignoredBy('/sms/send', form), 'from')
  // On the other endpoints the names of fields are exact.
  assert.equal(await ignoredBy('/sms/2fa', { json: { phoneNumber: NUMBER, Code: '4711' } }), 'Code')
  const { token } = owner
  assert.equal(await ignoredBy('/keys', { token, json: { name: 'x', Test: true } }), 'Test')
  const payload = { payload: { any: 'thing' }, template: 'x' }
  assert.equal(await ignoredBy('/webhooks/preview', { token, json: payload }), 'template')
})

test('the names in X-Roost-Ignored cannot add a header, and are few and short', async () => {
  const json = { phoneNumber: NUMBER, message: 'hello' }
  const hostile = { ...json, 'a\r\nSet-Cookie: b=c': 1, 'd, e': 1, '': 1, ä: 1, ['x'.repeat(1000)]: 1 }
  const names = `a??Set-Cookie??b?c, d??e, ?, ?, ${'x'.repeat(40)}`
  assert.equal(await ignoredBy('/sms/send', { json: hostile }), names)
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`n${i}`, i]))
  const shown = await ignoredBy('/sms/send', { json: { ...json, ...many } })
  assert.match(shown ?? '', /^n0, .*, n19, \.\.\.$/)
})

test('a request for a picture is refused, because Roost sends texts only', async () => {
  const json = { phoneNumber: NUMBER, message: 'look' }
  for (const name of ['mediaUrl', 'mediaUrls', 'media', 'attachments', 'MediaUrl']) {
    for (const value of ['http://nas/cat.jpg', ['http://nas/cat.jpg'], { url: 'x' }]) {
      const { status, text } = await post('/sms/send', { json: { ...json, [name]: value } })
      assert.equal(status, 400)
      assert.match(text, new RegExp(`${name}: is not possible: Roost sends texts only`))
    }
    for (const value of [null, '', []]) await sent({ json: { ...json, [name]: value } })
  }
})

test('codes are issued and verified with forms, and with JSON under another content type', async () => {
  const code = await post('/sms/2fa', typed(FORM, 'phoneNumber=%2B15005550006&code=4711&expiresIn=60'))
  assert.equal(code.status, 200, code.text)
  const { createdAt, expiresAt } = (code.json?.data ?? {}) as Record<string, unknown>
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 60_000)
  const wrong = await post(
    '/sms/2fa/verify',
    typed('text/plain', `{"phoneNumber":"${NUMBER}","code":"0000"}`),
  )
  assert.deepEqual(wrong.json?.data, { verified: false, reason: 'WRONG_CODE' })
  const right = await post('/sms/2fa/verify', typed(FORM, 'phoneNumber=%2B15005550006&code=4711'))
  assert.deepEqual(right.json?.data, { verified: true, reason: null })
})

test('other endpoints accept only JSON', async () => {
  const answer = await gateway.call('POST', '/api/v1/keys', { token: owner.token, ...typed(FORM, 'name=x') })
  assert.equal(answer.status, 415)
})

test('a key is accepted as a bearer token, and as the password of Basic with any user name', async () => {
  const json = { phoneNumber: NUMBER, message: 'hello' }
  const send = (authorization: string) =>
    gateway.call('POST', '/api/v1/sms/send', { headers: { Authorization: authorization }, json })
  const basic = (text: string) => `Basic ${btoa(text)}`
  for (const value of [`Bearer ${owner.testKey}`, basic(`:${owner.testKey}`), basic(`any:${owner.testKey}`)])
    assert.equal((await send(value)).status, 200)
  const wrong = `${owner.testKey.slice(0, -1)}!`
  for (const value of [`Bearer ${wrong}`, basic(`any:${wrong}`), basic(owner.testKey), 'Basic %', 'Basic'])
    assert.equal((await send(value)).status, 401, value)
  const keys = { headers: { Authorization: basic(`any:${owner.liveKey}`) } }
  assert.equal((await gateway.call('GET', '/api/v1/keys', keys)).status, 401)
})

test('a body with too many fields or values is refused as a whole', async () => {
  const fields = Array.from({ length: 65 }, (_, at) => `k${at}=1`).join('&')
  assert.deepEqual(await faults('/sms/send', typed(FORM, fields)), [''])
  const parts = Array.from(
    { length: 65 },
    (_, at) => `--b\r\nContent-Disposition: form-data; name="k${at}"\r\n\r\n1\r\n`,
  )
  const type = 'multipart/form-data; boundary=b'
  assert.deepEqual(await faults('/sms/send', typed(type, `${parts.join('')}--b--\r\n`)), [''])
  const wide = { phoneNumber: NUMBER, message: 'x', more: Array.from({ length: 10_001 }, () => 0) }
  assert.deepEqual(await faults('/sms/send', { json: wide }), [''])
})
