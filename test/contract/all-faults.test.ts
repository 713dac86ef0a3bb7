/** One refusal names every fault of a request, also those that only the data of the account shows. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const NUMBER = '+14155550123'
const NOBODY = 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const NO_GROUP = 'grp_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const NO_PHONE = 'dev_01KG9V0E7M4T0JH0Q4W2Z9R3XB'

let gateway: SharedGateway
let owner: TestAccount
let deviceId: string
let person: string

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  deviceId = (await PairedPhone.pair(gateway, owner.accountId)).deviceId
  person = await idOf('/people', { name: 'Ada', phoneNumber: NUMBER })
})

function call(method: string, path: string, json: unknown): Promise<TestAnswer> {
  return gateway.call(method, `/api/v1${path}`, { token: owner.token, json })
}

async function idOf(path: string, json: object): Promise<string> {
  const answer = await call('POST', path, json)
  assert.equal(answer.status, 200, answer.text)
  return String(answer.json?.data['id'])
}

/** The paths of all faults that a refusal names. */
async function faults(method: string, path: string, json: unknown): Promise<readonly string[]> {
  const { status, json: answer, text } = await call(method, path, json)
  assert.equal(status, 400, text)
  return (answer?.error.details?.issues ?? []).map(issue => issue.path).sort()
}

test('of a forward: its fields, what its kind needs, and a person who is not there', async () => {
  const post = (json: object) => faults('POST', '/forwards', json)
  assert.deepEqual(await post({ kind: 'telegram' }), ['credential', 'name', 'target'])
  assert.deepEqual(await post({ kind: 'telegram', target: 'my chat', codes: 1 }), [
    'codes',
    'credential',
    'name',
    'target',
  ])
  assert.deepEqual(await post({ kind: 'sms', target: NOBODY, url: 'https://example.org' }), [
    'name',
    'target',
    'url',
  ])
  assert.deepEqual(await post({ kind: 'ntfy', url: 'http://169.254.169.254/x', from: '' }), [
    'from',
    'name',
    'url',
  ])
  assert.deepEqual(await post({ kind: 'email', target: 'x', name: '' }), ['kind', 'name', 'target'])
  // A field of the wrong type is one fault, and not missing as well.
  assert.deepEqual(await post({ kind: 'telegram', name: 'F', target: 5, credential: 'a b' }), [
    'credential',
    'target',
  ])
  const id = await idOf('/forwards', { kind: 'sms', name: 'F', target: person })
  const change = { name: '', target: NOBODY, credential: 'x' }
  assert.deepEqual(await faults('PATCH', `/forwards/${id}`, change), ['credential', 'name', 'target'])
})

test('of a group of people, a rota and a policy: its fields and who is not there', async () => {
  const people = [person, NOBODY]
  const group = await idOf('/groups', { name: 'G', people: [person] })
  assert.deepEqual(await faults('POST', '/groups', { people }), ['name', 'people.1'])
  assert.deepEqual(await faults('PATCH', `/groups/${group}`, { name: '', people }), ['name', 'people.1'])
  const rota = { people, days: 0, handover: 'noon' }
  assert.deepEqual(await faults('POST', '/rotas', rota), ['days', 'handover', 'name', 'people.1'])
  const id = await idOf('/rotas', { name: 'R', people: [person], days: 7, handover: 'mon 09:00' })
  assert.deepEqual(await faults('PATCH', `/rotas/${id}`, { days: 0, people }), ['days', 'people.1'])
  const steps = [{ afterMinutes: 0, tell: [person, NOBODY, `${id}+1`] }]
  const both = { steps, rounds: 9, deviceId, deviceGroupId: 'dgr_x' }
  const wanted = ['deviceGroupId', 'rounds', 'steps.0.tell.1', 'steps.0.tell.2']
  assert.deepEqual(await faults('POST', '/policies', both), [...wanted, 'name'].toSorted())
  const policy = await idOf('/policies', { name: 'P', steps: [{ afterMinutes: 0, tell: [person] }] })
  assert.deepEqual(await faults('PATCH', `/policies/${policy}`, both), wanted)
})

test('of a group of phones: its fields and which phone is not there', async () => {
  const devices = [deviceId, NO_PHONE]
  const wanted = ['devices.1', 'fallback', 'name']
  assert.deepEqual(await faults('POST', '/device-groups', { devices, fallback: 'all' }), wanted)
  const id = await idOf('/device-groups', { name: 'G', devices: [deviceId] })
  const change = { name: '', devices, fallback: 'all' }
  assert.deepEqual(await faults('PATCH', `/device-groups/${id}`, change), wanted)
})

test('of a webhook: its fields, who is not there, and that nobody would hear of it', async () => {
  const people = [NO_GROUP, person, NOBODY]
  const both = { deviceId, deviceGroupId: 'dgr_x' }
  assert.deepEqual(await faults('POST', '/webhooks', { people, maxPerHour: 0, ...both }), [
    'deviceGroupId',
    'maxPerHour',
    'name',
    'people.0',
    'people.2',
  ])
  assert.deepEqual(await faults('POST', '/webhooks', { recipients: [], people: [] }), ['name', 'recipients'])
  assert.deepEqual(await faults('POST', '/webhooks', {}), ['name', 'recipients'])
  assert.deepEqual(await faults('POST', '/webhooks', { name: 'w', recipients: 'x', people: [NOBODY] }), [
    'people.0',
    'recipients',
  ])
  const id = await idOf('/webhooks', { name: 'w', recipients: [NUMBER] })
  assert.deepEqual(await faults('PATCH', `/webhooks/${id}`, { recipients: [], gather: 1 }), [
    'gather',
    'recipients',
  ])
  assert.deepEqual(await faults('PATCH', `/webhooks/${id}`, { people, name: '' }), [
    'name',
    'people.0',
    'people.2',
  ])
})

test('of a phone: its fields, and those of another kind of phone', async () => {
  const ringer = { url: 'http://8.8.8.8', username: 'a', password: 'b' }
  assert.deepEqual(await faults('PATCH', `/devices/${deviceId}`, { ringer, pin: '1234', name: '' }), [
    'name',
    'pin',
    'ringer',
  ])
  const missing = await call('PATCH', `/devices/${NO_PHONE}`, { ringer, name: '' })
  assert.equal(missing.status, 404)
})
