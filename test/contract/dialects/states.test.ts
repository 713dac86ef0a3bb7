/** Gateways whose clients also read the status of a message: Twilio and SMSGate. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { messageIdOf, sidOf } from '#domain/message/message-sid.ts'
import { basic, recorded, replay } from '#test/kit/dialect-client.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
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

const ACCOUNT = '/2010-04-01/Accounts/AC00000000000000000000000000000000'

async function ask(method: string, path: string, more: { body?: string; key?: string } = {}) {
  const { body, key = owner.liveKey } = more
  const headers = { Authorization: basic(key), 'Content-Type': 'application/json' }
  const answer = await gateway.call(method, path, { headers, ...(body !== undefined && { body }) })
  return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.text) }
}

test('a SID encodes the id of a message, and decodes to it', () => {
  const id = 'msg_01M7YNH9877GX8FBZ8AMT8W3XR'
  assert.match(sidOf(id), /^SM[0-9a-f]{32}$/)
  assert.equal(messageIdOf(sidOf(id)), id)
  assert.equal(messageIdOf(`SM${'f'.repeat(32)}`), `msg_7${'Z'.repeat(25)}`)
  for (const wrong of ['', 'SM', 'SMx', `MM${'0'.repeat(32)}`, `SM${'0'.repeat(33)}`])
    assert.equal(messageIdOf(wrong), null)
})

test('the npm package twilio sends, fetches and lists messages', async () => {
  const before = phone.sent.length
  const [create] = recorded('npm-twilio-message-create', owner.liveKey)
  assert.ok(create)
  const answer = await replay(gateway, create)
  const { sid, status, to, date_created: createdAt } = JSON.parse(answer.text)
  assert.deepEqual([answer.status, to], [201, '+14155550123'])
  // The phone may have sent it before the answer was written.
  assert.match(status, /^(?:queued|sending|sent)$/)
  assert.ok(Date.parse(createdAt) > 0)
  const [sent] = (await phone.whenSent(before + 1)).slice(before)
  assert.equal(sent?.message, 'Hello from twilio-node')
  const shown = await ask('GET', `${ACCOUNT}/Messages/${sid}.json`)
  assert.deepEqual([shown.status, shown.json.sid, shown.json.body], [200, sid, 'Hello from twilio-node'])
  const listed = await ask('GET', `${ACCOUNT}/Messages.json?To=%2B14155550123&PageSize=20`)
  assert.equal(listed.json.messages[0].sid, sid)
  assert.equal(listed.json.next_page_uri, null)
})

interface TwilioPage {
  readonly messages: readonly { readonly sid: string }[]
  readonly page: number
  readonly start: number
  readonly next_page_uri: string | null
}

test('Twilio’s list links each page to the next one', async () => {
  const key = owner.testKey
  const sids: string[] = []
  for (const Body of ['one', 'two', 'three']) {
    const body = JSON.stringify({ To: '+15005550006', Body })
    sids.unshift((await ask('POST', `${ACCOUNT}/Messages.json`, { key, body })).json.sid)
  }
  const found: string[] = []
  let uri: string | null = `${ACCOUNT}/Messages.json?To=%2B15005550006&PageSize=2`
  for (let page = 0; uri !== null; page++) {
    const { json }: { json: TwilioPage } = await ask('GET', uri, { key })
    assert.deepEqual([json.page, json.start], [page, page * 2])
    found.push(...json.messages.map(({ sid }) => sid))
    uri = json.next_page_uri
  }
  assert.deepEqual(found, sids)
})

test('the npm package android-sms-gateway sends to several numbers and reads their states', async () => {
  const before = phone.sent.length
  const [send] = recorded('npm-smsgate-send', owner.liveKey)
  assert.ok(send)
  const answer = await replay(gateway, send)
  const { id, state, recipients } = JSON.parse(answer.text)
  assert.deepEqual([answer.status, state, recipients.length], [202, 'Pending', 2])
  const sent = (await phone.whenSent(before + 2)).slice(before)
  assert.deepEqual(sent.map(({ phoneNumber }) => phoneNumber).sort(), ['+14155550123', '+393331234567'])
  for (const path of [`/3rdparty/v1/message/${id}`, `/api/3rdparty/v1/messages/${id}`]) {
    const shown = await ask('GET', path)
    assert.deepEqual([shown.status, shown.json.id, shown.json.recipients.length], [200, id, 2])
  }
  const { json: list } = await ask('GET', '/3rdparty/v1/messages?limit=2')
  assert.equal(list.length, 2)
  const { json: devices } = await ask('GET', '/3rdparty/v1/devices')
  assert.equal(devices.length, 1)
  assert.equal((await ask('GET', '/3rdparty/v1/health')).json.status, 'pass')
  const { json: token } = await ask('POST', '/3rdparty/v1/auth/token', { body: '{"ttl":3600}' })
  const headers = { Authorization: `Bearer ${token.access_token}` }
  assert.equal((await gateway.call('GET', '/3rdparty/v1/devices', { headers })).status, 200)
})

test('SMSGate keeps the id that the client gives, and accepts it only once', async () => {
  const before = phone.sent.length
  const send = (id: unknown, more: object = {}) => {
    const message = {
      id,
      textMessage: { text: `named ${id}` },
      phoneNumbers: ['+14155550123', '+14155550124'],
    }
    return ask('POST', '/3rdparty/v1/messages', { body: JSON.stringify({ ...message, ...more }) })
  }
  const id = 'PyDmBQZZXYmyxMwED8Fzy.1'
  const first = await send(id)
  assert.deepEqual([first.status, first.json.id, first.json.recipients.length], [202, id, 2])
  assert.equal(first.headers.get('location'), `/3rdparty/v1/messages/${id}`)
  const again = await send(id)
  assert.deepEqual([again.status, again.json.code], [409, 409])
  assert.match(again.json.message, /same id/)
  assert.equal((await phone.whenSent(before + 2)).length, before + 2)
  const shown = await ask('GET', `/3rdparty/v1/message/${id}`)
  assert.deepEqual([shown.status, shown.json.id, shown.json.recipients.length], [200, id, 2])
  const listed = await ask('GET', '/3rdparty/v1/messages?limit=2&includeContent=true')
  for (const entry of listed.json)
    assert.deepEqual([entry.id, entry.recipients.length, entry.textMessage.text], [id, 1, `named ${id}`])
  // The sandbox and other accounts have separate ids.
  assert.equal((await ask('GET', `/3rdparty/v1/message/${id}`, { key: owner.testKey })).status, 404)
  for (const wrong of ['x'.repeat(37), 'a b', 'a/b', 7, {}]) {
    const { status, json } = await send(wrong)
    assert.deepEqual([status, /^id must/.test(json.message)], [400, true], json.message)
  }
  const later = await send('later', { scheduleAt: '2100-01-01T00:00:00Z' })
  assert.deepEqual([later.status, /^scheduleAt/.test(later.json.message)], [400, true])
})

test('SMSGate’s list has the filters and pages of SMSGate', async () => {
  const before = phone.sent.length
  const ids: string[] = []
  for (const text of ['one', 'two']) {
    const body = JSON.stringify({ textMessage: { text }, phoneNumbers: ['+14155550123'] })
    ids.push((await ask('POST', '/3rdparty/v1/messages', { body })).json.id)
  }
  await phone.whenSent(before + 2)
  const [older, newer] = ids
  const listed = async (query: string) =>
    (await ask('GET', `/3rdparty/v1/messages?${query}`)).json.map(({ id }: { id: string }) => id)
  assert.deepEqual(await listed('limit=2'), [newer, older])
  const total = async (query: string) =>
    (await ask('GET', `/3rdparty/v1/messages?${query}`)).headers.get('x-total-count')
  assert.equal(await total('limit=1'), String((await listed('limit=100')).length))
  assert.equal(await total('state=Failed'), '0')
  assert.deepEqual(await listed('limit=1&offset=1'), [older])
  assert.deepEqual(await listed('state=Failed'), [])
  assert.deepEqual(await listed('deviceId=dev_01M7YNH9877GX8FBZ8AMT8W3XR'), [])
  assert.deepEqual(await listed('from=2100-01-01T00:00:00Z'), [])
  assert.deepEqual(await listed('to=2000-01-01T00:00:00Z'), [])
  assert.ok((await listed('from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z')).includes(older))
  for (const query of ['state=lost', 'from=yesterday', 'to=x', 'offset=1001']) {
    const { status, json } = await ask('GET', `/3rdparty/v1/messages?${query}`)
    assert.equal(status, 400)
    assert.ok(json.message.startsWith(query.split('=')[0]), json.message)
  }
})

test('a text of SMSGate expires at its validUntil', async () => {
  const send = (validUntil: string) => {
    const body = JSON.stringify({ message: 'soon over', phoneNumbers: ['+14155550123'], validUntil })
    return ask('POST', '/3rdparty/v1/messages', { body })
  }
  const before = phone.sent.length
  const { json } = await send(new Date(Date.now() + 3_600_000).toISOString())
  await phone.whenSent(before + 1)
  const shown = await gateway.call('GET', `/api/v1/sms/${json.id}`, { key: owner.liveKey })
  const timeOf = (name: string) => Date.parse(String(shown.json?.data[name]))
  const livesMs = timeOf('expiresAt') - timeOf('createdAt')
  assert.ok(livesMs <= 3_601_000 && livesMs > 3_000_000, `${livesMs} ms`)
  for (const wrong of ['2020-01-01T00:00:00Z', 'soon']) {
    const { status, json } = await send(wrong)
    assert.deepEqual([status, /^validUntil /.test(json.message)], [400, true], json.message)
  }
})

test('the Kannel dialect names the ignored fields for reports in a header', async () => {
  const before = phone.sent.length
  const fields = { password: owner.liveKey, to: '+14155550123', text: 'reported' }
  const send = (more: object) =>
    gateway.call('GET', `/cgi-bin/sendsms?${new URLSearchParams({ ...fields, ...more })}`)
  const answer = await send({ 'dlr-mask': '31', 'dlr-url': 'http://192.0.2.1/report?d=%d' })
  assert.deepEqual([answer.status, answer.headers.get('x-roost-ignored')], [202, 'dlr-mask, dlr-url'])
  assert.equal((await phone.whenSent(before + 1)).at(-1)?.message, 'reported')
  assert.equal((await send({ text: 'plain' })).headers.get('x-roost-ignored'), null)
  await phone.whenSent(before + 2)
})

test('SMSGate’s deviceId may be a phone or a group of phones', async () => {
  const before = phone.sent.length
  const json = { name: 'Office', devices: [phone.deviceId] }
  const made = await gateway.call('POST', '/api/v1/device-groups', { token: owner.token, json })
  const group = String(made.json?.data['id'])
  const send = (deviceId: string) => {
    const body = { textMessage: { text: `by ${deviceId}` }, phoneNumbers: ['+14155550123'], deviceId }
    return ask('POST', '/3rdparty/v1/messages', { body: JSON.stringify(body) })
  }
  for (const deviceId of [group, phone.deviceId]) assert.equal((await send(deviceId)).status, 202)
  const sent = (await phone.whenSent(before + 2)).slice(before)
  assert.deepEqual(
    sent.map(({ message }) => message),
    [`by ${group}`, `by ${phone.deviceId}`],
  )
  const { json: list } = await gateway.call('GET', '/api/v1/sms?limit=2', { key: owner.liveKey })
  assert.deepEqual(
    list?.data.map(one => one['deviceGroupId']),
    [null, group],
  )
  assert.equal((await send('dgr_01KG9V0E7M4T0JH0Q4W2Z9R3XB')).status, 404)
})

test('an old client of SMSGate may send its text in `message`', async () => {
  const before = phone.sent.length
  const body = JSON.stringify({ message: 'old client', phoneNumbers: ['+14155550123'] })
  assert.equal((await ask('POST', '/api/3rdparty/v1/message', { body })).status, 202)
  assert.equal((await phone.whenSent(before + 1)).at(-1)?.message, 'old client')
})

test('refusals have the format of each gateway', async () => {
  const lonely = await gateway.newAccount()
  const text = JSON.stringify({ textMessage: { text: 'x' }, phoneNumbers: ['+14155550123'] })
  const encrypted = JSON.stringify({ ...JSON.parse(text), isEncrypted: true })
  const cases = [
    ['POST', '/3rdparty/v1/message', { body: text, key: 'sk_live_no' }, 401, 401],
    ['POST', '/3rdparty/v1/message', { body: text, key: lonely.liveKey }, 503, 503],
    ['POST', '/3rdparty/v1/message', { body: '{}' }, 400, 400],
    ['POST', '/3rdparty/v1/message', { body: encrypted }, 400, 400],
    ['GET', '/3rdparty/v1/message/msg_0', {}, 404, 404],
    ['POST', `${ACCOUNT}/Messages.json`, { body: '{}', key: 'sk_live_no' }, 401, 20003],
    ['POST', `${ACCOUNT}/Messages.json`, { body: '{"Body":"x"}' }, 400, 21211],
    ['POST', `${ACCOUNT}/Messages.json`, { body: '{"To":"+14155550123"}' }, 400, 21602],
    ['GET', `${ACCOUNT}/Messages/SM${'0'.repeat(32)}.json`, {}, 404, 20404],
  ] as const
  for (const [method, path, more, status, code] of cases) {
    const answer = await ask(method, path, more)
    assert.deepEqual([answer.status, answer.json.code], [status, code], `${method} ${path}`)
    assert.equal(typeof answer.json.message, 'string')
  }
})

test('another account sees nothing of a message', async () => {
  const before = phone.sent.length
  const body = JSON.stringify({ To: '+14155550123', Body: 'mine' })
  const { json } = await ask('POST', `${ACCOUNT}/Messages.json`, { body })
  await phone.whenSent(before + 1)
  const other = await gateway.newAccount()
  const key = other.liveKey
  assert.equal((await ask('GET', `${ACCOUNT}/Messages/${json.sid}.json`, { key })).status, 404)
  assert.equal((await ask('GET', `/3rdparty/v1/message/${messageIdOf(json.sid)}`, { key })).status, 404)
  assert.deepEqual((await ask('GET', `${ACCOUNT}/Messages.json`, { key })).json.messages, [])
})

test('a call has at most as many numbers as the table says, in each shape', async () => {
  const { most } = ACCOUNT_BOUNDS.recipientsOfCall
  const numbers = Array.from({ length: most + 1 }, (_, at) => `+1415556${String(at).padStart(4, '0')}`)
  const headers = { Authorization: basic(owner.testKey) }
  for (const [path, json] of [
    ['/v2/send', { message: 'x', recipients: numbers }],
    ['/3rdparty/v1/messages', { textMessage: { text: 'x' }, phoneNumbers: numbers }],
    ['/api/v2/messages/sms', { text: 'x', to: numbers }],
  ] as const) {
    const { status, text } = await gateway.call('POST', path, { headers, json })
    assert.deepEqual([status, text.includes(`must be at most ${most} numbers`)], [400, true], text)
  }
  const json = { message: 'x', recipients: numbers.slice(1) }
  assert.equal((await gateway.call('POST', '/v2/send', { headers, json })).status, 201)
})
