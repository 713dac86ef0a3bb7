import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type CallOptions, startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'

let gateway: TestGateway
let owner: TestAccount

before(async () => {
  gateway = await startGateway()
  owner = await gateway.owner()
})
after(() => gateway.stop())

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
