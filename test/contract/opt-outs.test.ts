/** The numbers that want no more texts, over real HTTP: the list, and what each shape says of them. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { CallOptions, SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const GONE = '+14155550123'
const OTHER = '+14155550124'
const PATH = '/api/v1/opt-outs'
const WORDS = 'the number wants no more texts'

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

const put = (phoneNumber: string, by: CallOptions = { token: owner.token }) =>
  gateway.call('POST', PATH, { ...by, json: { phoneNumber } })
const numbers = async (query = '', by: CallOptions = { token: owner.token }) =>
  (await gateway.call('GET', `${PATH}${query}`, by)).json?.data.map(one => one['phoneNumber'])
const send = (fields: object, by: CallOptions = { key: owner.liveKey }) =>
  gateway.call('POST', '/api/v1/sms/send', { ...by, json: { phoneNumber: GONE, message: 'x', ...fields } })

function refused({ status, json, text }: TestAnswer): void {
  assert.deepEqual([status, json?.error.code], [403, 'FORBIDDEN'], text)
  assert.deepEqual(json?.error.details, { reason: 'OPTED_OUT' })
  assert.match(text, /\+14155550123 wants no more texts/)
}

test('a stop in a chat: the next text is refused; a person at the console is asked, and may', async () => {
  const { headers } = await openSession(gateway, owner)
  assert.equal((await send({ message: 'Dinner at seven?' }, { headers })).status, 200)
  await phone.whenSent(1)
  await phone.reportReceived({ id: 'r1', from: GONE, message: 'Stop!' })
  refused(await send({}))
  refused(await send({}, { headers }))
  const { json } = await gateway.call('GET', `${PATH}?phoneNumber=${encodeURIComponent(GONE)}`, { headers })
  assert.deepEqual([json?.data.length, json?.data[0]?.['by']], [1, 'text'])
  assert.equal((await send({ despiteOptOut: true, message: 'Sorry' }, { headers })).status, 200)
  assert.equal((await phone.whenSent(2)).at(-1)?.message, 'Sorry')
  for (const by of [{ key: owner.liveKey }, { token: owner.token }]) {
    const { status, text } = await send({ despiteOptOut: true }, by)
    assert.deepEqual([status, /only a person at the console/.test(text)], [400, true], text)
  }
  await phone.reportReceived({ id: 'r2', from: GONE, message: 'start' })
  assert.equal((await send({})).status, 200)
})

test('the list is read page by page, newest first, and a number leaves it as it is written', async () => {
  const made = await put('333 123 4567')
  assert.deepEqual(
    [made.status, made.json?.data['phoneNumber'], made.json?.data['by']],
    [200, '+393331234567', 'owner'],
  )
  for (const number of [GONE, OTHER]) await put(number, { key: owner.liveKey })
  const first = await gateway.call('GET', `${PATH}?limit=2`, { key: owner.liveKey })
  assert.deepEqual(
    first.json?.data.map(one => one['phoneNumber']),
    [OTHER, GONE],
  )
  assert.deepEqual(await numbers(`?limit=2&cursor=${first.json?.page?.nextCursor}`), ['+393331234567'])
  assert.deepEqual(await numbers('?phoneNumber=+14155550123'), [GONE])
  assert.deepEqual(await numbers('?phoneNumber=%2B14155550199'), [])
  const take = (number: string) => gateway.call('DELETE', `${PATH}/${number}`, { token: owner.token })
  for (const written of ['%2B14155550123', '+14155550124', '333%20123%204567'])
    assert.equal((await take(written)).status, 200, written)
  assert.equal((await take('%2B14155550123')).status, 404)
  assert.deepEqual(await numbers(), [])
  for (const query of ['?limit=0', '?cursor=x'])
    assert.equal((await gateway.call('GET', PATH + query, { token: owner.token })).status, 400)
})

test('a wrong number is refused by its field; a short code is taken if it is asked for', async () => {
  for (const phoneNumber of ['nobody', '12345', 7, undefined]) {
    const { status, json } = await put(phoneNumber as string)
    assert.deepEqual(
      [status, json?.error.details?.issues?.[0]?.path],
      [400, 'phoneNumber'],
      String(phoneNumber),
    )
  }
  const json = { phoneNumber: '12345', skipPhoneValidation: true }
  assert.equal((await gateway.call('POST', PATH, { token: owner.token, json })).status, 200)
  assert.deepEqual(await numbers(), ['12345'])
  const short = { phoneNumber: '12345', skipPhoneValidation: true }
  assert.equal((await send(short)).status, 403)
  assert.equal((await gateway.call('DELETE', `${PATH}/12345`, { token: owner.token })).status, 200)
})

test('a sandbox key has a list of its own, with the same answers', async () => {
  const test = { key: owner.testKey }
  await put(GONE, test)
  assert.deepEqual([await numbers('', test), await numbers()], [[GONE], []])
  refused(await send({}, test))
  assert.equal((await send({})).status, 200)
  assert.equal((await gateway.call('DELETE', `${PATH}/${GONE}`, { token: owner.token })).status, 404)
  assert.equal((await gateway.call('DELETE', `${PATH}/${GONE}`, test)).status, 200)
  assert.equal((await send({}, test)).status, 200)
})

test('a planned text ends as OPTED_OUT, which is 21610 in Twilio’s shape', async () => {
  const planned = await send({ sendAt: new Date(Date.now() + 86_400_000).toISOString() })
  const id = planned.json?.data['messageId']
  await put(GONE)
  const { json } = await gateway.call('GET', `/api/v1/sms/${id}`, { key: owner.liveKey })
  const failure = { code: 'OPTED_OUT', message: WORDS }
  assert.deepEqual([json?.data['status'], json?.data['failure']], ['failed', failure])
  const headers = { Authorization: basic(owner.liveKey) }
  const asTwilio = await gateway.call('GET', '/2010-04-01/Accounts/AC1/Messages.json', { headers })
  assert.equal(JSON.parse(asTwilio.text).messages[0].error_code, 21_610)
})

/** A send in each shape, to these numbers. */
function sendsTo(to: readonly string[]): Record<string, Promise<TestAnswer>> {
  const key = owner.liveKey
  const headers = { Authorization: basic(key) }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
  const all = to.join(',')
  const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const rpc = {
    method: 'sms.send_sms',
    params: { access_token: key, to: all, message: 'x', responsetype: 'extended' },
  }
  return {
    kannel: gateway.call('GET', `/cgi-bin/sendsms?${query({ password: key, to: all, text: 'x' })}`),
    playsms: gateway.call('GET', `/index.php?${query({ app: 'ws', op: 'pv', h: key, to: all, msg: 'x' })}`),
    signal: gateway.call('POST', '/v2/send', { headers, json: { recipients: to, message: 'x' } }),
    smseagle: gateway.call('POST', '/api/v2/messages/sms', { headers, json: { to, text: 'x' } }),
    rpc: gateway.call('POST', '/jsonrpc/sms', { json: rpc }),
    query: gateway.call('GET', `/http_api/send_sms?${query({ access_token: key, to: all, message: 'x' })}`),
    smsgate: gateway.call('POST', '/3rdparty/v1/messages', {
      headers,
      json: { phoneNumbers: to, message: 'x' },
    }),
    httpsms: gateway.call('POST', '/v1/messages/send', { headers, json: { to: all, content: 'x' } }),
    ...(to.length === 1 && {
      twilio: gateway.call('POST', '/2010-04-01/Accounts/AC1/Messages.json', {
        headers: form,
        body: query({ To: all, Body: 'x' }),
      }),
    }),
  }
}

const OWN_WAYS: Readonly<Record<string, (answer: TestAnswer) => unknown>> = {
  playsms: ({ text }) => JSON.parse(text).data.map(({ status, to }: never) => [status, to]),
  smseagle: ({ text }) => JSON.parse(text).map(({ status, number }: never) => [status, number]),
  rpc: ({ text }) => JSON.parse(text).result.map(({ status, number }: never) => [status, number]),
  smsgate: ({ text }) =>
    JSON.parse(text).recipients.map(({ phoneNumber, error }: never) => [error ?? 'ok', phoneNumber]),
}
const OWN_NAMES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  playsms: [
    ['OK', OTHER],
    ['ERR', GONE],
  ],
  smseagle: [
    ['queued', OTHER],
    ['error', GONE],
  ],
  rpc: [
    ['ok', undefined],
    ['error', GONE],
  ],
  smsgate: [
    ['ok', OTHER],
    [`OPTED_OUT: ${WORDS}`, GONE],
  ],
}

test('each shape leaves such a number out, names it, and refuses only if none is left', async () => {
  await put(GONE)
  for (const [shape, sent] of Object.entries(sendsTo([GONE, OTHER]))) {
    const answer = await sent
    assert.ok(answer.status >= 200 && answer.status < 300, `${shape} ${answer.text}`)
    assert.equal(answer.headers.get('x-roost-opted-out'), GONE, shape)
    assert.deepEqual(OWN_WAYS[shape]?.(answer), OWN_NAMES[shape], shape)
  }
  const before = (await phone.whenSent(8)).length
  assert.ok(phone.sent.every(({ phoneNumber }) => phoneNumber === OTHER))
  for (const [shape, sent] of Object.entries(sendsTo([GONE]))) {
    const { status, text, headers } = await sent
    assert.deepEqual([status, /wants no more texts/.test(text)], [403, true], `${shape} ${text}`)
    assert.equal(headers.get('x-roost-opted-out'), null)
    if (shape === 'twilio') assert.equal(JSON.parse(text).code, 21_610)
  }
  for (const sent of Object.values(sendsTo([OTHER])))
    assert.equal((await sent).headers.get('x-roost-opted-out'), null)
  assert.equal((await phone.whenSent(before + 9)).length, before + 9)
})

test('a shop’s list of 100 numbers goes to 99', async () => {
  const all = Array.from({ length: 100 }, (_, index) => `+141555501${String(index).padStart(2, '0')}`)
  await put(GONE)
  const headers = { 'access-token': owner.liveKey }
  const answer = await gateway.call('POST', '/api/v2/messages/sms', {
    headers,
    json: { to: all, text: 'Sale' },
  })
  assert.deepEqual([answer.status, answer.headers.get('x-roost-opted-out')], [200, GONE])
  const sent = await phone.whenSent(99)
  assert.deepEqual(
    sent.map(one => one.phoneNumber).sort(),
    all.filter(one => one !== GONE),
  )
})
