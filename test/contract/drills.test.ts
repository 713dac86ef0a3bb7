/** Drills over the API: who may, what is answered, and that their texts stand nowhere else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DrillResource } from '#contracts/drill.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { addUser, tokenOfUser } from '#test/kit/users.ts'

let gateway: SharedGateway
let owner: TestAccount
let sender: PairedPhone
let receiver: PairedPhone

before(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  sender = await PairedPhone.pair(gateway, owner.accountId)
  receiver = await PairedPhone.pair(gateway, owner.accountId)
  await sender.connect(gateway.url)
  await receiver.connect(gateway.url, { receives: true })
})
after(async () => {
  await sender.disconnect()
  await receiver.disconnect()
})

const ask = (method: string, path: string, options: object = {}) =>
  gateway.call(method, `/api/v1${path}`, { token: owner.token, ...options })
const drillsOf = (phone: PairedPhone) => `/devices/${phone.deviceId}/drills`
async function listed(): Promise<readonly DrillResource[]> {
  return (await ask('GET', drillsOf(sender))).json?.data as unknown as DrillResource[]
}

test('a drill needs a number, is proven when its text comes back, and stands in no list', async () => {
  const unknown = await ask('POST', drillsOf(sender))
  assert.deepEqual([unknown.status, unknown.json?.error?.code], [409, 'CONFLICT'])
  const change = { phoneNumber: '+1 415 555 0177', drill: { every: 'month', at: '10:00' } }
  const changed = await ask('PATCH', `/devices/${receiver.deviceId}`, { json: change })
  const detail = changed.json?.data as unknown as DeviceListItem
  assert.deepEqual(
    [detail.phoneNumber, detail.drill],
    ['+14155550177', { every: 'month', at: '10:00', to: null, simSlot: null }],
  )
  const taken = await ask('PATCH', `/devices/${sender.deviceId}`, { json: { phoneNumber: '+14155550177' } })
  assert.equal(taken.status, 409)

  const begun = await ask('POST', drillsOf(sender))
  assert.equal(begun.status, 200, begun.text)
  const messageId = (begun.json?.data as unknown as DrillResource | undefined)?.messageId
  const again = await ask('POST', drillsOf(sender))
  assert.match(again.text, /a drill of this phone is under way/)
  const [text] = await sender.whenSent(1)
  assert.match(text?.message ?? '', /^Roost drill [0-9A-HJKMNP-TV-Z]{8}: /)
  const code = text?.message.slice(12, 20) ?? ''
  await receiver.reportReceived({ id: 'd1', from: 'INFO', message: text?.message ?? '' })
  let [drill] = await listed()
  while (drill?.outcome == null) {
    await nextLook()
    drill = (await listed())[0]
  }
  assert.equal(drill.outcome, 'proven')
  assert.ok(drill.tookMs !== null && drill.tookMs >= 0)
  const devices = (await ask('GET', '/devices')).json?.data as unknown as DeviceListItem[]
  const provenOf = (phone: PairedPhone) => devices.find(one => one.deviceId === phone.deviceId)?.proven
  assert.ok(provenOf(sender)?.sends !== null && provenOf(receiver)?.receives !== null)

  const lists = ['/sms', '/sms.csv', '/received', '/received.csv', `/sms?q=${code}`, `/received?q=${code}`]
  for (const path of lists) {
    const answer = await ask('GET', path, { token: undefined, key: owner.liveKey })
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes('Roost drill') && !answer.text.includes(code), path)
  }
  const asked = await ask('GET', '/sms?kind=drill', { token: undefined, key: owner.liveKey })
  assert.match(asked.text, new RegExp(`${messageId}.*Roost drill \\*{8}: `))
  assert.ok(!asked.text.includes(code))
  const found = await ask('GET', `/sms?kind=drill&q=${code}`, { token: undefined, key: owner.liveKey })
  assert.deepEqual(found.json?.data, [])
  const usage = await ask('GET', '/account/usage', { token: undefined, key: owner.liveKey })
  assert.match(usage.text, /"smsToday":0/)
})

const tokenOf = async (role: 'viewer' | 'operator') =>
  tokenOfUser(gateway, await addUser(gateway, owner, { email: `${role}@drills.test`, role }))

test('a viewer sees drills and begins none; a key begins none; a plan is the owner’s', async () => {
  const viewer = await tokenOf('viewer')
  assert.equal((await ask('GET', drillsOf(sender), { token: viewer })).status, 200)
  assert.equal((await ask('POST', drillsOf(sender), { token: viewer })).status, 403)
  assert.equal((await ask('POST', drillsOf(sender), { token: undefined, key: owner.liveKey })).status, 401)
  const operator = await tokenOf('operator')
  const json = { drill: { every: 'day', at: '10:00' } }
  assert.equal((await ask('PATCH', `/devices/${sender.deviceId}`, { token: operator, json })).status, 403)
})

test('bad plans and numbers are refused, all faults at once', async () => {
  const json = { drill: { every: 'year', at: '25:00', simSlot: 0 }, phoneNumber: '12' }
  const answer = await ask('PATCH', `/devices/${sender.deviceId}`, { json })
  const paths = answer.json?.error?.details?.issues?.map(({ path }: { path: string }) => path)
  assert.deepEqual(
    [answer.status, paths?.toSorted()],
    [400, ['drill.at', 'drill.every', 'drill.simSlot', 'phoneNumber']],
  )
  const to = { drill: { every: 'day', at: '10:00', to: owner.accountId } }
  assert.equal((await ask('PATCH', `/devices/${sender.deviceId}`, { json: to })).status, 400)
})
