/** Groups of phones over real HTTP and real sockets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as v from 'valibot'
import { DeviceGroupResource } from '#contracts/device-group.ts'
import { startGateway, type TestAccount, type TestAnswer, type TestGateway } from '#test/kit/gateway.ts'
import { MovedClock } from '#test/kit/moved-clock.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { webhookOf } from '#test/kit/webhook-calls.ts'

let clock: MovedClock
let gateway: TestGateway
let owner: TestAccount
let phones: readonly PairedPhone[]

const NO_PHONE = 'dev_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const NO_GROUP = 'dgr_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const NUMBER = '+14155550123'

before(async () => {
  clock = new MovedClock()
  gateway = await startGateway({ entries: clock.entries })
  owner = await gateway.owner()
  const pair = () => PairedPhone.pair(gateway, owner.accountId)
  phones = [await pair(), await pair(), await pair(), await pair()]
})
after(async () => {
  for (const phone of phones) await phone.disconnect()
  await gateway.stop()
  clock.close()
})

function call(method: string, path: string, json?: unknown, token = owner.token): Promise<TestAnswer> {
  return gateway.call(method, `/api/v1${path}`, { token, ...(json !== undefined && { json }) })
}

const Group = v.strictObject(DeviceGroupResource.entries)

async function groupOf(answer: Promise<TestAnswer>): Promise<DeviceGroupResource> {
  const { status, json, text } = await answer
  assert.equal(status, 200, text)
  return v.parse(Group, json?.data)
}

const group = (devices: readonly string[], fields: object = {}) =>
  groupOf(call('POST', '/device-groups', { name: 'Office', devices, ...fields }))

async function refused(answer: Promise<TestAnswer>, status: number, wanted: RegExp): Promise<void> {
  const { status: got, text } = await answer
  assert.equal(got, status, text)
  assert.match(text, wanted)
}

const ids = () => phones.map(({ deviceId }) => deviceId)

test('a group is made, read, changed field by field, and removed', async () => {
  const devices = ids().slice(0, 2)
  const made = await group(devices)
  assert.deepEqual([made.devices, made.fallback, made.fallbackAfterMinutes], [devices, 'any', 5])
  assert.notEqual(made.downSince, null)
  const changed = await groupOf(call('PATCH', `/device-groups/${made.id}`, { fallback: 'none' }))
  assert.deepEqual(changed, { ...made, fallback: 'none' })
  assert.deepEqual(await groupOf(call('GET', `/device-groups/${made.id}`)), changed)
  assert.deepEqual((await call('GET', '/device-groups')).json?.data, [changed])
  assert.deepEqual((await call('DELETE', `/device-groups/${made.id}`)).json?.data, { id: made.id })
  await refused(call('GET', `/device-groups/${made.id}`), 404, /no such group of phones/)
})

test('each fault is named, and an API key or a stranger gets nothing', async () => {
  const [first = ''] = ids()
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ name: '' }, /"path":"name"/],
    [{ devices: [] }, /"path":"devices"/],
    [{ devices: [first, first] }, /"path":"devices"/],
    [{ devices: [first, NO_PHONE] }, /"path":"devices.1"/],
    [{ fallback: 'all' }, /"path":"fallback"/],
    [{ fallbackAfterMinutes: 1441 }, /"path":"fallbackAfterMinutes"/],
  ]
  for (const [fields, path] of faults)
    await refused(call('POST', '/device-groups', { name: 'G', devices: [first], ...fields }), 400, path)
  const { id } = await group([first])
  assert.equal((await gateway.call('GET', '/api/v1/device-groups', { key: owner.liveKey })).status, 401)
  const { token } = await gateway.account('other@example.org')
  await refused(call('GET', `/device-groups/${id}`, undefined, token), 404, /no such group/)
  const send = { phoneNumber: NUMBER, message: 'x', deviceGroupId: id }
  await refused(call('POST', '/sms/send', send, token), 404, /no such group/)
  await refused(call('POST', '/sms/send', { ...send, deviceGroupId: first }), 404, /no such group/)
  await refused(call('POST', '/sms/send', { ...send, deviceGroupId: undefined, deviceId: id }), 404, /device/)
  await refused(call('POST', '/sms/send', send), 503, /group Office/)
  const code = { phoneNumber: NUMBER, deviceGroupId: id }
  await refused(call('POST', '/sms/2fa', code), 503, /group Office/)
  const steps = [{ afterMinutes: 0, tell: [NO_PHONE.replace('dev', 'per')] }]
  const webhook = { name: 'w', recipients: [NUMBER] }
  for (const [path, body] of [
    ['/sms/send', { phoneNumber: NUMBER, message: 'x' }],
    ['/sms/2fa', { phoneNumber: NUMBER }],
    ['/webhooks', webhook],
    ['/policies', { name: 'p', steps }],
  ] as const)
    await refused(call('POST', path, { ...body, deviceId: first, deviceGroupId: id }), 400, /"deviceGroupId"/)
  await refused(call('POST', '/webhooks', { ...webhook, deviceGroupId: NO_GROUP }), 404, /no such group/)
  await call('DELETE', `/device-groups/${id}`)
})

test('a group that a webhook or a policy names stays, and either can name a phone instead', async () => {
  const [first = ''] = ids()
  const { id } = await group([first])
  const given = { name: 'Bell', recipients: [NUMBER], deviceGroupId: id }
  const webhook = webhookOf(await call('POST', '/webhooks', given))
  assert.deepEqual([webhook.deviceId, webhook.deviceGroupId], [null, id])
  const { json } = await call('POST', '/people', { name: 'Ada', phoneNumber: NUMBER })
  const steps = [{ afterMinutes: 0, tell: [json?.data['id']] }]
  const made = await call('POST', '/policies', { name: 'Doors', steps, deviceGroupId: id })
  const policy = `/policies/${made.json?.data['id']}`
  await refused(call('DELETE', `/device-groups/${id}`), 409, /the webhook Bell, the policy Doors/)
  // A field that is null ends only its own choice.
  const path = `/webhooks/${webhook.id}`
  assert.equal(webhookOf(await call('PATCH', path, { deviceId: null })).deviceGroupId, id)
  const moved = webhookOf(await call('PATCH', path, { deviceId: first }))
  assert.deepEqual([moved.deviceId, moved.deviceGroupId], [first, null])
  const { data } = (await call('PATCH', policy, { deviceGroupId: null })).json ?? {}
  assert.deepEqual([data?.['deviceId'], data?.['deviceGroupId']], [null, null])
  for (const one of [path, policy, `/device-groups/${id}`])
    assert.equal((await call('DELETE', one)).status, 200, one)
})

test('phones of a group die one by one, and each text is sent once', async () => {
  const [other, ...members] = phones
  assert.ok(other !== undefined)
  for (const phone of phones) await phone.connect(gateway.url)
  const { id } = await group(members.map(({ deviceId }) => deviceId))
  let texts = 0
  const send = async (fields: object = {}) => {
    texts += 1
    const body = { phoneNumber: NUMBER, message: `text ${texts}`, deviceGroupId: id, ...fields }
    return call('POST', '/sms/send', body)
  }
  const sentBy = () => members.reduce((sum, { sent }) => sum + sent.length, 0)
  for (const [index, phone] of members.entries()) {
    for (let i = 0; i < 3; i++) assert.equal((await send()).status, 200)
    while (sentBy() < texts) await nextLook()
    assert.equal(sentBy(), 3 * (index + 1))
    await phone.disconnect()
    while ((await call('GET', `/devices/${phone.deviceId}`)).json?.data['status'] !== 'offline')
      await nextLook()
    await clock.advance(46_000)
    await call('GET', '/devices')
    // The others are heard again: for the gateway they were silent for as long.
    for (const living of [other, ...members.slice(index + 1)]) {
      await living.disconnect()
      await living.connect(gateway.url)
    }
  }
  await refused(send(), 503, /group Office/)
  texts -= 1
  assert.equal((await send({ queueIfOffline: true })).status, 200)
  assert.equal(other.sent.length, 0)
  await clock.advance(5 * 60_000)
  await other.disconnect()
  await other.connect(gateway.url)
  assert.deepEqual(await other.whenSent(1), [{ phoneNumber: NUMBER, message: `text ${texts}` }])
  assert.equal((await send()).status, 200)
  await other.whenSent(2)
  const all = phones.flatMap(({ sent }) => sent.map(({ message }) => message))
  assert.deepEqual(new Set(all).size, all.length)
})
