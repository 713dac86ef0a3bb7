/** Caps of a SIM over real HTTP and real sockets: 50 sends at once pass none. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
})

function call(method: string, path: string, json?: unknown): Promise<TestAnswer> {
  return gateway.call(method, `/api/v1${path}`, { token: owner.token, ...(json !== undefined && { json }) })
}

async function phone(cap: object): Promise<PairedPhone> {
  const made = await PairedPhone.pair(gateway, owner.accountId)
  const { status, text } = await call('PATCH', `/devices/${made.deviceId}`, cap)
  assert.equal(status, 200, text)
  await made.connect(gateway.url)
  return made
}

test('of 50 sends at once, as many leave as all caps allow, and the others are refused', async t => {
  const phones = [await phone({ smsPerDayMax: 7 }), await phone({ smsPerMonthMax: 5 })]
  t.after(() => Promise.all(phones.map(one => one.disconnect())))
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      call('POST', '/sms/send', { phoneNumber: '+14155550123', message: `text ${i}` }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 12)
  const refused = answers.filter(({ status }) => status === 503)
  assert.equal(refused.length, 38)
  for (const { json, text } of refused) assert.equal(json?.error.code, 'NO_DEVICE_AVAILABLE', text)
  const [a, b] = phones
  await a?.whenSent(7)
  await b?.whenSent(5)
  const queued = await call('POST', '/sms/send', {
    phoneNumber: '+14155550123',
    message: 'x',
    queueIfOffline: true,
  })
  assert.equal(queued.status, 200)
  const { json } = await call('GET', '/devices')
  const list = json?.data ?? []
  assert.deepEqual(
    phones.map(({ deviceId }) => {
      const { smsThisMonth, segmentsToday } = list.find(one => one['deviceId'] === deviceId) ?? {}
      return [smsThisMonth, segmentsToday]
    }),
    [
      [7, 7],
      [5, 5],
    ],
  )
  assert.deepEqual([a?.sent.length, b?.sent.length], [7, 5])
})

test('each fault of a cap is named, and null ends it', async () => {
  const { deviceId } = await PairedPhone.pair(gateway, owner.accountId)
  for (const [field, value] of [
    ['smsPerDayMax', 0],
    ['smsPerMonthMax', 1.5],
    ['smsPerMonthMax', 'many'],
    ['monthStartsOn', 29],
    ['monthStartsOn', null],
  ] as const) {
    const { status, text } = await call('PATCH', `/devices/${deviceId}`, { [field]: value })
    assert.equal(status, 400, text)
    assert.match(text, new RegExp(`"path":"${field}"`))
  }
  const caps = { smsPerDayMax: 10, smsPerMonthMax: 100, monthStartsOn: 15 }
  const { json } = await call('PATCH', `/devices/${deviceId}`, caps)
  for (const [field, value] of Object.entries(caps)) assert.equal(json?.data[field], value)
  const ended = await call('PATCH', `/devices/${deviceId}`, { smsPerDayMax: null })
  assert.deepEqual([ended.json?.data['smsPerDayMax'], ended.json?.data['smsPerMonthMax']], [null, 100])
})
