/** Times to send at: each shape plans the text for the time that its client means, or refuses it. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { CallOptions, SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const TO = '+14155550123'
const DAY_MS = 86_400_000
const TWILIO = '/2010-04-01/Accounts/AC0/Messages'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone
/** A whole minute in three days, which every shape can write. */
let wanted: Date

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  wanted = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3 * DAY_MS)
})
afterEach(() => phone.disconnect())

const query = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
const pad = (part: number) => String(part).padStart(2, '0')
const localParts = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map(pad)
const compact = (at: Date) => localParts(at).join('')
const local = (at: Date) => {
  const [year, month, day, hour, minute] = localParts(at)
  return `${year}-${month}-${day} ${hour}:${minute}:00`
}
const iso = (at: Date) => at.toISOString()
const minutesTo = (at: Date) => String(Math.ceil((at.getTime() - Date.now()) / 60_000))

interface Door {
  readonly field: string
  readonly write: (at: Date) => string
  readonly ask: (
    key: string,
    time: Readonly<Record<string, string>>,
  ) => CallOptions & { readonly path: string }
}

const native = (field: string): Door => ({
  field,
  write: iso,
  ask: (key, time) => ({
    path: '/api/v1/sms/send',
    key,
    json: { phoneNumber: TO, message: 'later', ...time },
  }),
})
const twilio: Door['ask'] = (key, time) => ({
  path: `${TWILIO}.json`,
  headers: { Authorization: basic(key), ...FORM },
  body: query({ To: TO, Body: 'later', ...time }),
})

const DOORS: Readonly<Record<string, Door>> = {
  'sendAt of the API': native('sendAt'),
  'scheduledAt of the API': native('scheduledAt'),
  'scheduleAt of the API': native('scheduleAt'),
  'send_at of the API': native('send_at'),
  Twilio: {
    field: 'SendAt',
    write: iso,
    ask: (key, time) => twilio(key, { ...time, ScheduleType: 'fixed' }),
  },
  'Twilio without a type': { field: 'SendAt', write: iso, ask: twilio },
  httpSMS: {
    field: 'send_at',
    write: at => iso(at).replace('Z', '+00:00'),
    ask: (key, time) => ({
      path: '/v1/messages/send',
      headers: { 'x-api-key': key },
      json: { to: TO, content: 'later', ...time },
    }),
  },
  'SMSEagle, version 2': {
    field: 'date',
    write: compact,
    ask: (key, time) => ({
      path: '/api/v2/messages/sms',
      headers: { 'access-token': key },
      json: { to: [TO], text: 'later', ...time },
    }),
  },
  'SMSEagle by JSON-RPC': {
    field: 'date',
    write: compact,
    ask: (key, time) => ({
      path: '/jsonrpc/sms',
      json: { method: 'sms.send_sms', params: { access_token: key, to: TO, message: 'later', ...time } },
    }),
  },
  SMSGate: {
    field: 'scheduleAt',
    write: iso,
    ask: (key, time) => ({
      path: '/3rdparty/v1/messages',
      headers: { Authorization: basic(key) },
      json: { textMessage: { text: 'later' }, phoneNumbers: [TO], ...time },
    }),
  },
  Kannel: {
    field: 'deferred',
    write: minutesTo,
    ask: (password, time) => ({
      path: '/cgi-bin/sendsms',
      headers: FORM,
      body: query({ username: 'u', password, to: TO, text: 'later', ...time }),
    }),
  },
  playSMS: {
    field: 'schedule',
    write: local,
    ask: (h, time) => ({
      path: '/index.php',
      headers: FORM,
      body: query({ app: 'ws', u: 'u', h, op: 'pv', to: TO, msg: 'later', ...time }),
    }),
  },
}

async function knock({ field, ask }: Door, time: string): Promise<TestAnswer> {
  const { path, ...options } = ask(owner.liveKey, { [field]: time })
  return await gateway.call('POST', path, options)
}

/** The account's texts, newest first. */
async function texts(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await gateway.call('GET', '/api/v1/sms', { key: owner.liveKey })
  return json?.data as never
}

for (const [name, door] of Object.entries(DOORS)) {
  test(`${name}: a text waits for the time that its client means`, async () => {
    const answer = await knock(door, door.write(wanted))
    assert.ok(answer.status < 300, answer.text)
    const [text] = await texts()
    const offMs = Date.parse(String(text?.['sendAt'])) - wanted.getTime()
    assert.ok(offMs >= 0 && offMs <= (door.field === 'deferred' ? 60_000 : 0), `${text?.['sendAt']}`)
    assert.deepEqual([text?.['status'], phone.sent.length], ['queued', 0])
  })

  test(`${name}: a time that cannot be planned is refused by the client’s own name of it`, async () => {
    const tooLate = new Date(wanted.getTime() + 90 * DAY_MS)
    for (const time of ['next week', door.write(tooLate)]) {
      const answer = await knock(door, time)
      assert.deepEqual([answer.status, answer.text.includes(door.field)], [400, true], answer.text)
    }
    assert.deepEqual([await texts(), phone.sent.length], [[], 0])
  })
}

test('SMSEagle’s query plans the text, too, and a day that does not exist is refused', async () => {
  const send = (date: string) =>
    gateway.call(
      'GET',
      `/http_api/send_sms?${query({ access_token: owner.liveKey, to: TO, message: 'x', date })}`,
    )
  assert.equal((await send(compact(wanted))).status, 200)
  assert.equal((await texts())[0]?.['sendAt'], iso(wanted))
  const refused = await send('202602301200')
  assert.deepEqual([refused.status, refused.text.includes('date')], [400, true], refused.text)
})

test('Twilio: a schedule without a time is refused, and a planned text is scheduled', async () => {
  for (const fields of [{ ScheduleType: 'fixed' }, { ScheduleType: 'optimize', SendAt: iso(wanted) }]) {
    const { path, ...options } = twilio(owner.liveKey, fields as Record<string, string>)
    assert.equal((await gateway.call('POST', path, options)).status, 400)
  }
  assert.deepEqual(await texts(), [])
  const { path, ...options } = twilio(owner.liveKey, { SendAt: iso(wanted) })
  assert.equal(JSON.parse((await gateway.call('POST', path, options)).text).status, 'scheduled')
})

test('ntfy plans an alert; a time that it cannot keep is named, and the alert is told at once', async () => {
  const calls = new WebhookCalls(gateway, owner.token)
  const { url } = await calls.create({ maxPerHour: 1000 })
  const topic = url.split('/').at(-1) ?? ''
  const inHalfAnHour = () => Date.now() + 30 * 60_000
  const plans: readonly (readonly [CallOptions & { readonly path?: string }, () => number])[] = [
    [{ headers: { Delay: '30m' }, body: 'by span' }, inHalfAnHour],
    [{ headers: { 'X-Delay': '30 minutes' }, body: 'by long span' }, inHalfAnHour],
    [{ headers: { In: '0h30m0s' }, body: 'by composed span' }, inHalfAnHour],
    [{ headers: { At: String(wanted.getTime() / 1000) }, body: 'by Unix time' }, () => wanted.getTime()],
    [{ path: `/${topic}?delay=30m`, body: 'by query' }, inHalfAnHour],
    [{ path: '/', json: { topic, message: 'by JSON', delay: iso(wanted) } }, () => wanted.getTime()],
  ]
  for (const [{ path = `/${topic}`, ...options }, at] of plans) {
    const answer = await gateway.call('POST', path, options)
    assert.deepEqual([answer.status, answer.headers.get('x-roost-ignored')], [200, null], answer.text)
    const [text] = await texts()
    assert.ok(Math.abs(Date.parse(String(text?.['sendAt'])) - at()) < 120_000, String(text?.['sendAt']))
  }
  assert.equal(phone.sent.length, 0)
  // The same words for another time are another alert.
  await gateway.call('POST', `/${topic}`, { headers: { Delay: '40m' }, body: 'by span' })
  assert.equal((await texts()).length, plans.length + 1)

  for (const [index, Delay] of ['tomorrow, 10am', '91 days', '1000000000'].entries()) {
    const answer = await gateway.call('POST', `/${topic}`, { headers: { Delay }, body: `at once ${index}` })
    assert.deepEqual([answer.status, answer.headers.get('x-roost-ignored')], [200, 'delay'], Delay)
    await phone.whenSent(index + 1)
  }
})

test('ntfy: the alert of a webhook with a policy is told at once, and the field is named', async () => {
  const call = (path: string, json: object) =>
    gateway.call('POST', `/api/v1${path}`, { token: owner.token, json })
  const person = await call('/people', { name: 'Ada', phoneNumber: TO })
  const steps = [{ afterMinutes: 0, tell: [person.json?.data['id']] }]
  const policy = await call('/policies', { name: 'Night', steps })
  const policyId = policy.json?.data['id']
  assert.equal(typeof policyId, 'string', policy.text)
  const { url } = await new WebhookCalls(gateway, owner.token).create({ policyId })
  const options = { headers: { Delay: '30m' }, body: 'Freezer too warm' }
  const answer = await gateway.call('POST', `/${url.split('/').at(-1)}`, options)
  assert.deepEqual([answer.status, answer.headers.get('x-roost-ignored')], [200, 'delay'], answer.text)
  await phone.whenSent(1)
})

test('Twilio: a planned text is canceled once, and one that left cannot be', async () => {
  const { path, ...options } = twilio(owner.liveKey, { SendAt: iso(wanted) })
  const { sid } = JSON.parse((await gateway.call('POST', path, options)).text)
  const headers = { Authorization: basic(owner.liveKey), ...FORM }
  const change = async (id: string, fields: Readonly<Record<string, string>>) => {
    const { status, text } = await gateway.call('POST', `${TWILIO}/${id}.json`, {
      headers,
      body: query(fields),
    })
    const { code, status: state } = JSON.parse(text)
    return [status, code ?? state]
  }
  assert.deepEqual(await change(sid, { Body: '' }), [400, 20001])
  assert.deepEqual(await change(sid, { Status: 'canceled' }), [200, 'canceled'])
  const [text] = await texts()
  assert.deepEqual([text?.['status'], Object(text?.['failure']).code], ['failed', 'CANCELLED'])
  assert.deepEqual(await change(sid, { Status: 'canceled' }), [409, 20409])
  assert.deepEqual(await change(`SM${'0'.repeat(32)}`, { Status: 'canceled' }), [404, 20404])
  const sent = twilio(owner.liveKey, {})
  const { sid: gone } = JSON.parse((await gateway.call('POST', sent.path, sent)).text)
  await phone.whenSent(1)
  assert.deepEqual(await change(gone, { Status: 'canceled' }), [409, 20409])
})
