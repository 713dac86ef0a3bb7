/** Every sign and number that a door is given is what a text has, and who gets it. */
import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
})

interface Request extends CallOptions {
  readonly method?: string
  readonly path: string
}

const FORM = 'application/x-www-form-urlencoded'

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
}

function typed(type: string, body: CallOptions['body'] & {}): CallOptions {
  return { headers: { 'Content-Type': type }, body }
}

function ask({ method = 'POST', path, headers = {}, ...rest }: Request) {
  return gateway.call(method, path, { ...rest, headers: { 'X-API-Key': owner.testKey, ...headers } })
}

/** The newest text of the account's sandbox. */
async function newest(): Promise<Record<string, unknown>> {
  const list = await gateway.call('GET', '/api/v1/sms?limit=1', { key: owner.testKey })
  return list.json?.data[0] ?? {}
}

/** How each door takes a number. */
const SENDS: Readonly<Record<string, (number: string) => Request>> = {
  API: phoneNumber => ({ path: '/api/v1/sms/send', json: { phoneNumber, message: 'x' } }),
  'API, another name': to => ({ path: '/api/v1/sms/send', json: { to, body: 'x' } }),
  'API, form': phoneNumber => ({
    path: '/api/v1/sms/send',
    ...typed(FORM, `${new URLSearchParams({ phoneNumber, message: 'x' })}`),
  }),
  httpSMS: to => ({ path: '/v1/messages/send', json: { to, content: 'x' } }),
  Signal: number => ({ path: '/v2/send', json: { recipients: [number], message: 'x' } }),
  SMSEagle: to => ({ path: '/api/v2/messages/sms', json: { to: [to], text: 'x' } }),
  'SMSEagle, query': to => ({
    method: 'GET',
    path: `/http_api/send_sms?${new URLSearchParams({ to, message: 'x' })}`,
  }),
  SMSGate: number => ({
    path: '/3rdparty/v1/messages',
    headers: { Authorization: basic(owner.testKey) },
    json: { phoneNumbers: [number], textMessage: { text: 'x' } },
  }),
  Kannel: to => ({
    method: 'GET',
    path: `/cgi-bin/sendsms?${new URLSearchParams({ to, text: 'x', password: owner.testKey })}`,
  }),
  playSMS: to => ({
    method: 'GET',
    path: `/?${new URLSearchParams({ app: 'ws', op: 'pv', h: owner.testKey, to, msg: 'x' })}`,
  }),
  Twilio: To => ({
    path: '/2010-04-01/Accounts/AC0/Messages.json',
    headers: { Authorization: basic(owner.testKey), 'Content-Type': FORM },
    body: `${new URLSearchParams({ To, Body: 'x' })}`,
  }),
}

const MEANT = '+393331234567'
const SPELLINGS = [
  '+39 (0)333 1234567',
  '+39 0333 1234567',
  '\u202d+39 333 1234567\u202c',
  '+39\u202f333\u202f123\ufe0d\u20114567',
  '+٣٩٣٣٣١٢٣٤٥٦٧',
  'tel:+39-333-123-4567',
]

suite('a number is read as it was meant, or asked for, by', () => {
  for (const [door, request] of Object.entries(SENDS))
    test(door, async () => {
      for (const spelling of SPELLINGS) {
        const { status, text } = await ask(request(spelling))
        assert.ok(status >= 200 && status < 300, `${spelling}: ${status} ${text}`)
        assert.equal((await newest())['phoneNumber'], MEANT, spelling)
      }
      const { status, text } = await ask(request('+39 (0)331 123456'))
      assert.equal(status, 400, text)
      assert.match(
        text,
        /can be two numbers: write \+390331123456 if the zero belongs to it, else \+39331123456/,
      )
    })
})

test('the + of a number that a form or a query does not encode is read', async () => {
  for (const request of [
    { path: '/api/v1/sms/send', ...typed(FORM, `phoneNumber=${MEANT}&message=x`) },
    { path: '/api/v1/sms/send', ...typed(FORM, `to=${MEANT}&body=x`) },
    { method: 'GET', path: `/http_api/send_sms?to=${MEANT}&message=x` },
    { method: 'GET', path: `/cgi-bin/sendsms?to=${MEANT}&text=x&password=${owner.testKey}` },
  ]) {
    const { status, text } = await ask(request)
    assert.ok(status < 300, `${request.path}: ${text}`)
    assert.equal((await newest())['phoneNumber'], MEANT)
  }
  const found = await ask({ method: 'GET', path: `/api/v1/sms?phoneNumber=${MEANT}` })
  assert.equal(found.json?.data.length, 4)
})

test('the + of a time that a query does not encode is read', async () => {
  for (const path of ['sms', 'received'])
    for (const offset of ['+01:00', '-05:00', '%2B01:00', 'Z']) {
      const list = await ask({ method: 'GET', path: `/api/v1/${path}?since=2026-11-28T10:00:00${offset}` })
      assert.equal(list.status, 200, list.text)
    }
})

test('people, recipients and one-time codes take the same spellings', async () => {
  const { token } = owner
  const call = (path: string, json: object) => gateway.call('POST', `/api/v1${path}`, { token, json })
  for (const [at, spelling] of SPELLINGS.entries()) {
    const webhook = await call('/webhooks', { name: `w${at}`, recipients: [spelling] })
    assert.deepEqual(webhook.json?.data['recipients'], [MEANT], webhook.text)
    const person = await call('/people', { name: `p${at}`, phoneNumber: spelling })
    assert.equal(person.json?.data['phoneNumber'], MEANT, person.text)
    await gateway.call('DELETE', `/api/v1/people/${person.json?.data['id']}`, { token })
  }
  const code = await ask({ path: '/api/v1/sms/2fa', json: { phoneNumber: SPELLINGS[0] } })
  assert.equal(code.json?.data['phoneNumber'], MEANT, code.text)
  const which = '+39 (0)331 123456'
  for (const [path, json, field] of [
    ['/webhooks', { name: 'w', recipients: [which] }, 'recipients.0'],
    ['/people', { name: 'p', phoneNumber: which }, 'phoneNumber'],
  ] as const) {
    const { status, json: refused, text } = await call(path, json)
    assert.deepEqual([status, refused?.error.details?.issues?.[0]?.path], [400, field], text)
    assert.match(text, /can be two numbers/)
  }
})

const UNRULED = ['+371300000012345', '+34 5906 566798696', '72404', '3311']
suite('a number that no rule knows is sent to if the caller asks for it, by', () => {
  const json = (phoneNumber: string) => ({ phoneNumber, message: 'x' })
  const gate = (number: string) => SENDS['SMSGate']?.(number) as Request
  const doors: Readonly<Record<string, (number: string, asks: boolean) => Request>> = {
    'a field': (number, asks) => ({
      path: '/api/v1/sms/send',
      json: { ...json(number), ...(asks && { skipPhoneValidation: true }) },
    }),
    'a query': (number, asks) => ({
      path: `/api/v1/sms/send${asks ? '?skipPhoneValidation=true' : ''}`,
      json: json(number),
    }),
    'the query of SMSGate': (number, asks) => ({
      ...gate(number),
      path: `/3rdparty/v1/messages${asks ? '?skipPhoneValidation=true' : ''}`,
    }),
  }
  for (const [door, request] of Object.entries(doors))
    test(door, async () => {
      for (const number of UNRULED) {
        const taken = await ask(request(number, true))
        assert.ok(taken.status < 300, `${number}: ${taken.text}`)
        const plain = number.replaceAll(' ', '')
        assert.equal((await newest())['phoneNumber'], plain)
        const listed = `/api/v1/sms?phoneNumber=${encodeURIComponent(plain)}`
        assert.equal((await ask({ method: 'GET', path: listed })).json?.data.length, 1)
        const refused = await ask(request(number, false))
        assert.deepEqual([refused.status, / add skipPhoneValidation: true/.test(refused.text)], [400, true])
      }
      for (const number of ['112', '911', '+49 112', 'nobody'])
        assert.equal((await ask(request(number, true))).status, 400, number)
    })
})

const WORDS = 'Störung'
const TO = '+15005550006'
const JSON_WORDS = JSON.stringify({ phoneNumber: TO, message: WORDS })

function kannel(query: string): Request {
  return { method: 'GET', path: `/cgi-bin/sendsms?to=${TO}&password=${owner.testKey}&${query}` }
}

const SENT: Readonly<Record<string, () => Request>> = {
  'JSON in Latin-1 that says so': () => ({
    path: '/api/v1/sms/send',
    ...typed('application/json; charset=iso-8859-1', latin1(JSON_WORDS)),
  }),
  'JSON in Latin-1 that says nothing': () => ({
    path: '/api/v1/sms/send',
    ...typed('application/json', latin1(JSON_WORDS)),
  }),
  'JSON in UTF-16': () => ({ path: '/api/v1/sms/send', ...typed('application/json', utf16(JSON_WORDS)) }),
  'a form with %F6': () => ({ path: '/api/v1/sms/send', ...typed(FORM, `to=%2B15005550006&body=St%F6rung`) }),
  'a query with %F6': () => ({ method: 'GET', path: `/http_api/send_sms?to=${TO}&message=St%F6rung` }),
  'Kannel with a charset': () => kannel('charset=ISO-8859-1&text=St%F6rung'),
  'Kannel with a charset that is not known': () => kannel('charset=x-old&text=St%F6rung'),
  'Kannel with coding 2': () => kannel('coding=2&text=%00S%00t%00%F6%00r%00u%00n%00g'),
  'Twilio, a form with %F6': () => ({
    path: '/2010-04-01/Accounts/AC0/Messages.json',
    headers: { Authorization: basic(owner.testKey), 'Content-Type': FORM },
    body: `To=%2B15005550006&Body=St%F6rung`,
  }),
}
suite('a text keeps its umlaut in', () => {
  for (const [door, request] of Object.entries(SENT))
    test(door, async () => {
      const { status, text } = await ask(request())
      assert.ok(status < 300, `${status} ${text}`)
      const { messageId } = await newest()
      const one = await ask({ method: 'GET', path: `/api/v1/sms/${messageId}` })
      assert.equal(one.json?.data['message'], WORDS)
    })
})

/** What triggers a webhook; `topic` is its token. */
const ALERTS: Readonly<Record<string, (topic: string) => Request>> = {
  'a text in Latin-1': topic => ({ path: `/${topic}`, ...typed('text/plain', latin1(WORDS)) }),
  'a text in UTF-16': topic => ({ path: `/api/v1/webhook/${topic}`, ...typed('text/plain', utf16(WORDS)) }),
  'JSON in Latin-1': topic => ({
    path: `/api/v1/webhook/${topic}`,
    ...typed('application/json', latin1(`{"message":"${WORDS}"}`)),
  }),
  'a query with %F6': topic => ({ method: 'GET', path: `/api/v1/webhook/${topic}?message=St%F6rung` }),
  'a query of ntfy': topic => ({ path: `/${topic}?title=St%F6rung`, body: 'x' }),
  'a form with %F6': topic => ({ path: `/${topic}`, ...typed(FORM, 'message=St%F6rung') }),
  'a form of Gotify': token => ({
    path: `/message?token=${token}`,
    ...typed(FORM, 'message=St%F6rung&priority=5'),
  }),
  'a header in RFC 2047': topic => ({
    path: `/${topic}`,
    headers: { Title: '=?iso-8859-1?Q?St=F6rung?=' },
    body: 'x',
  }),
  'JSON of ntfy with a raw line break': topic => ({
    path: '/',
    body: `{"topic": "${topic}", "title": "${WORDS}", "message": "pump\nand valve", "priority": 5}`,
  }),
  'JSON of ntfy in Latin-1, without its end': topic => ({
    path: '/',
    body: latin1(`{"topic":"${topic}","message":"${WORDS}`),
  }),
  'JSON of ntfy that nothing repairs': topic => ({
    path: '/',
    body: `{"message": ${WORDS} of "pump" : , "topic":"${topic}"`,
  }),
}
suite('an alert keeps its umlaut in', () => {
  let topic: string
  beforeEach(async () => {
    await PairedPhone.pair(gateway, owner.accountId)
    const { url } = await new WebhookCalls(gateway, owner.token).create()
    topic = url.split('/').at(-1) ?? ''
  })
  for (const [door, request] of Object.entries(ALERTS))
    test(door, async () => {
      const { status, text } = await ask(request(topic))
      assert.equal(status, 200, text)
      assert.match(text, /Störung/)
      assert.ok(!JSON.parse(text).message?.includes(topic))
    })

  test('a header in UTF-8; of one in Latin-1 a ? stands for what is lost', async () => {
    for (const [charset, seen] of [
      ['utf8', 'Störung: x'],
      ['latin1', 'St?rung: x'],
    ] as const) {
      // `fetch` sends a character for each byte.
      const Title = Buffer.from(WORDS, charset).toString('latin1')
      const { text } = await ask({ path: `/${topic}`, headers: { Title }, body: 'x' })
      assert.equal(JSON.parse(text).message, seen)
    }
  })

  test('broken JSON at the root of ntfy is refused as before where no topic is in it', async () => {
    for (const body of ['{"topic":"x","message":"a\nb"}', '{"message":"a\nb"}']) {
      const { status, text } = await ask({ path: '/', body })
      assert.equal(status, 400)
      assert.match(text, /line 1, column \d+: a line break inside a text; write \\\\n/)
    }
    const unknown = await ask({ path: '/', body: `{"topic":"${'x'.repeat(38)}","message":"a\nb"}` })
    assert.equal(unknown.status, 403)
  })
})
