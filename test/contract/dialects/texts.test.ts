/** Recorded requests of clients that name phone numbers send texts and get the answers that they expect. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { basic, type RecordedRequest, recorded, replay } from '#test/kit/dialect-client.ts'
import type { CallOptions, SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

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

interface Client {
  readonly id: string
  /** Whether the client accepts the answer as success. */
  readonly isContent: (answer: TestAnswer) => boolean
  /** The part of the address that a user enters before the client's own path. */
  readonly prefix?: (key: string) => string
}

const CLIENTS: readonly Client[] = [
  { id: 'kuma-sms-gateway', isContent: is2xx },
  { id: 'kuma-smseagle-v1', isContent: answer => is2xx(answer) && answer.text.includes('OK') },
  {
    id: 'kuma-smseagle-v2',
    isContent: answer =>
      is2xx(answer) && listIn(answer).every(({ status, message }) => `${status} ${message}` === 'queued OK'),
  },
  { id: 'nextcloud-playsms', isContent: is2xx },
  { id: 'librenms-playsms', isContent: answer => is2xx(answer) && listOfPlaysms(answer).length === 2 },
  { id: 'npm-httpsms', isContent: answer => is2xx(answer) && answer.json?.data !== undefined },
  { id: 'novu-kannel', isContent: is2xx },
  { id: 'novu-generic-sms', isContent: is2xx, prefix: () => '/api/v1/sms' },
  { id: 'apprise-signal', isContent: is200or201, prefix: key => `/signal/${key}` },
  { id: 'apprise-signal-auth', isContent: is200or201 },
  { id: 'apprise-smseagle', isContent: answer => is2xx(answer) && answer.text.includes('"status":"ok"') },
  {
    id: 'pysignalclirestapi-send',
    isContent: answer => is2xx(answer) && /"versions":\["v1","v2"\]|"timestamp":"\d+"/.test(answer.text),
    prefix: key => `/signal/${key}`,
  },
]

test('JSON-RPC carries out the one method that it has, and answers with the id of the request', async () => {
  const params = { access_token: owner.testKey, to: '+14155550123', message: 'by RPC' }
  const call = (json: object) => gateway.call('POST', '/jsonrpc/sms', { json: { params, ...json } })
  const other = await call({ method: 'sms.get_inbox' })
  assert.deepEqual([other.status, /method must be/.test(other.text)], [400, true], other.text)
  const { status, text } = await call({ jsonrpc: '2.0', id: 7, method: 'sms.send_sms' })
  const { result, ...rest } = JSON.parse(text)
  assert.deepEqual([status, rest, /^OK; ID=\d+$/.test(result)], [200, { jsonrpc: '2.0', id: 7 }, true])
})

test('Uptime Kuma’s own field takes a number as people write it, the documented one does not', async () => {
  const send = (json: object) => gateway.call('POST', '/api/v1/sms/send', { key: owner.testKey, json })
  for (const to of ['333 123 4567', '0039 333 1234567', '+39 333-1234567']) {
    const { status, json } = await send({ to, body: 'Down' })
    assert.deepEqual([status, json?.data['phoneNumber']], [200, '+393331234567'], to)
  }
  assert.equal((await send({ phoneNumber: '333 123 4567', message: 'Down' })).status, 400)
  for (const to of ['12', 'nobody', '9'.repeat(2000)]) {
    const { status, json } = await send({ to, body: 'Down' })
    assert.deepEqual([status, json?.error.details?.issues?.[0]?.path], [400, 'to'], to)
  }
})

function requestsOf({ id, prefix }: Client, key: string): readonly RecordedRequest[] {
  return recorded(id, key).map(request => ({ ...request, path: `${prefix?.(key) ?? ''}${request.path}` }))
}

for (const client of CLIENTS) {
  test(`${client.id}: the client gets a success, and the phone gets the texts`, async () => {
    const before = phone.sent.length
    const requests = requestsOf(client, owner.liveKey)
    for (const request of requests) {
      const answer = await replay(gateway, request)
      assert.ok(client.isContent(answer), `${answer.status} ${answer.text}`)
    }
    const wanted = numbersIn(requests)
    const sent = (await phone.whenSent(before + wanted.length)).slice(before)
    assert.deepEqual(sent.map(({ phoneNumber }) => phoneNumber).sort(), wanted)
    assert.ok(sent.every(({ message }) => /Hello from|Nextcloud|nas/.test(message)))
  })

  test(`${client.id}: the client reports a failure for a wrong key and for no phone`, async () => {
    const revoked = await gateway.ask('key.create', { email: owner.email, name: 'gone', test: false })
    await gateway.ask('key.revoke', { id: revoked.record.id, accountId: null })
    const lonely = await gateway.newAccount()
    const before = phone.sent.length
    for (const key of [revoked.key, owner.token, 'sk_live_none', lonely.liveKey]) {
      const answer = await replay(gateway, sendOf(requestsOf(client, key)))
      assert.ok(!client.isContent(answer) && answer.status >= 400, answer.text)
      assert.equal(key === lonely.liveKey, answer.status === 503, answer.text)
      assert.ok(!answer.text.includes(key))
    }
    assert.equal(phone.sent.length, before)
  })
}

test('several numbers are all accepted, or all refused', async () => {
  const narrow = await gateway.newAccount('one text')
  const other = await PairedPhone.pair(gateway, narrow.accountId)
  await other.connect(gateway.url)
  const headers = { 'access-token': narrow.liveKey }
  const send = (to: readonly string[]) =>
    gateway.call('POST', '/api/v2/messages/sms', { headers, json: { to, text: 'all or none' } })
  assert.equal((await send(['+14155550123', '+14155550124'])).status, 429)
  assert.equal((await send(['+14155550123', 'nobody'])).status, 400)
  const { json } = await gateway.call('GET', '/api/v1/sms', { key: narrow.liveKey })
  assert.deepEqual(json?.data, [])
  assert.equal((await send(['+14155550123', '0014155550123'])).status, 200)
  await other.disconnect()
})

test('numbers are accepted as those clients write them', async () => {
  const key = owner.testKey
  const written = {
    '+39 333 123 4567': '+393331234567',
    '00393331234567': '+393331234567',
    '333 123-4567': '+393331234567',
    ' 14155550123': '+14155550123',
  }
  for (const [to, wanted] of Object.entries(written)) {
    const query = new URLSearchParams({ username: 'u', password: key, to, text: `written ${to}` })
    const answer = await gateway.call('GET', `/cgi-bin/sendsms?${query}`)
    assert.deepEqual([answer.status, answer.text], [202, '0: Accepted for delivery'])
    const { json } = await gateway.call('GET', '/api/v1/sms?limit=1', { key })
    assert.equal(json?.data[0]?.['phoneNumber'], wanted)
  }
})

/** The requests of all shapes that send to this number, as it is written. */
function sendsTo(to: string): readonly (readonly [path: string, options: CallOptions])[] {
  const key = owner.testKey
  const query = (fields: Record<string, string>) => new URLSearchParams({ ...fields, to }).toString()
  const asPassword = { Authorization: basic(key) }
  const native = ['to', 'number', 'recipient'].map(
    name => ['/api/v1/sms/send', { key, json: { [name]: to, body: 'x' } }] as const,
  )
  return [
    ...native,
    [`/cgi-bin/sendsms?${query({ password: key, text: 'x' })}`, { body: '' }],
    [`/index.php?${query({ app: 'ws', h: key, op: 'pv', msg: 'x' })}`, { body: '' }],
    ['/2010-04-01/Accounts/AC0/Messages.json', { headers: asPassword, json: { To: to, Body: 'x' } }],
    ['/api/v2/messages/sms', { headers: { 'access-token': key }, json: { to: [to], text: 'x' } }],
    ['/jsonrpc/sms', { json: { params: { access_token: key, to, message: 'x' } } }],
    ['/3rdparty/v1/messages', { headers: asPassword, json: { phoneNumbers: [to], message: 'x' } }],
    ['/v2/send', { headers: asPassword, json: { recipients: [to], message: 'x' } }],
    ['/v1/messages/send', { key, json: { to, content: 'x' } }],
  ]
}

test('in every shape, a number without + goes to the person who was meant, or is refused', async () => {
  const key = owner.testKey
  for (const [to, meant] of [
    ['4915112345678', '+4915112345678'],
    ['14155550123', '+14155550123'],
    ['333 123 4567', '+393331234567'],
    // Not a + that became a space: +31 2345 6789 would be in the Netherlands.
    [' 3123456789', '+393123456789'],
    ['0049 (0)151 12345678', '+4915112345678'],
  ] as const)
    for (const [path, options] of sendsTo(to)) {
      const { status, text } = await gateway.call('POST', path, options)
      assert.ok(status >= 200 && status < 300, `${path}: ${status} ${text}`)
      const { json } = await gateway.call('GET', '/api/v1/sms?limit=1', { key })
      assert.equal(json?.data[0]?.['phoneNumber'], meant, path)
    }
  // +33 6 12345678, or the Italian mobile number 336 12345678.
  for (const [path, options] of sendsTo('33612345678')) {
    const { status, text } = await gateway.call('POST', path, options)
    assert.equal(status, 400, path)
    assert.match(text, /must begin with \+ .* can be an international number or one of IT/, path)
  }
})

test('spaces separate numbers only if one number cannot be that long', async () => {
  const key = owner.testKey
  const send = (to: string) => {
    const query = new URLSearchParams({ password: key, to, text: `to ${to}` })
    return gateway.call('GET', `/cgi-bin/sendsms?${query}`)
  }
  assert.equal((await send('+14155550123 0049 15112345678')).status, 400)
  const sent = async (to: string) => {
    assert.equal((await send(to)).status, 202, to)
    const { json } = await gateway.call('GET', `/api/v1/sms?limit=5&q=${encodeURIComponent(`to ${to}`)}`, {
      key,
    })
    return json?.data.map(one => one['phoneNumber']).sort()
  }
  assert.deepEqual(await sent('14155550123 14155550124'), ['+14155550123', '+14155550124'])
  assert.deepEqual(await sent('0043664 1234567'), ['+436641234567'])
})

test('neither texts nor the log contain the key of the request', async () => {
  const key = owner.testKey
  const json = { recipients: ['+14155550123'], message: `test of ${key}` }
  assert.equal((await gateway.call('POST', `/signal/${key}/v2/send`, { json })).status, 201)
  const { text } = await gateway.call('GET', '/api/v1/sms', { key })
  assert.ok(text.includes('test of') && !text.includes(key))
  assert.ok(!JSON.stringify(gateway.log).includes(key))
})

test('a text that is too long is refused in the format of the dialect', async () => {
  const message = 'x'.repeat(1601)
  const query = new URLSearchParams({ password: owner.testKey, to: '+14155550123', text: message })
  const kannel = await gateway.call('GET', `/cgi-bin/sendsms?${query}`)
  assert.deepEqual([kannel.status, kannel.text], [400, 'text must be at most 1600 characters'])
  const json = { recipients: ['+14155550123'], message }
  const signal = await gateway.call('POST', `/signal/${owner.testKey}/v2/send`, { json })
  assert.deepEqual(
    [signal.status, JSON.parse(signal.text)],
    [400, { error: 'message must be at most 1600 characters' }],
  )
})

function sendOf(requests: readonly RecordedRequest[]): RecordedRequest {
  const request = requests.at(-1)
  assert.ok(request)
  return request
}

/** Every number that the requests send a text to, sorted. */
function numbersIn(requests: readonly RecordedRequest[]): readonly string[] {
  const texts = requests.map(({ path, body }) => decodeURIComponent(path) + body).join(' ')
  return (texts.match(/\+(?:14155550123|393331234567)/g) ?? []).sort()
}

function listIn({ text }: TestAnswer): readonly Record<string, unknown>[] {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list : [{}]
}

/** The messages of an answer to playSMS's clients that were accepted. */
function listOfPlaysms({ text }: TestAnswer): readonly unknown[] {
  const { data, error_string } = JSON.parse(text)
  return error_string === null ? data.filter((one: Record<string, unknown>) => one['status'] === 'OK') : []
}

function is2xx({ status }: TestAnswer): boolean {
  return status >= 200 && status < 300
}

function is200or201({ status }: TestAnswer): boolean {
  return status === 200 || status === 201
}
