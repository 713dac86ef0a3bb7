/** Groups of people over real HTTP, and the people of a webhook: who reads an alert, and nobody twice. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { GroupResource } from '#contracts/group.ts'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { triggeredOf, WebhookCalls, webhookOf } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls
/** Ids of people by their names. */
const people: Record<string, string> = {}

const NUMBERS = { ada: '+14155550201', bob: '+14155550202', eve: '+14155550203' }
const NOBODY = 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const NO_GROUP = 'grp_01KG9V0E7M4T0JH0Q4W2Z9R3XB'

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  await PairedPhone.pair(gateway, owner.accountId)
  webhooks = new WebhookCalls(gateway, owner.token)
  for (const [name, phoneNumber] of Object.entries(NUMBERS)) {
    const made = await call('POST', '/people', { name, phoneNumber })
    people[name] = v.parse(v.object({ id: v.string() }), made.json?.data).id
  }
})

function call(method: string, path: string, json?: unknown): Promise<TestAnswer> {
  return gateway.call(method, `/api/v1${path}`, { token: owner.token, ...(json !== undefined && { json }) })
}

const Group = v.strictObject(GroupResource.entries)

async function groupOf(answer: Promise<TestAnswer>): Promise<GroupResource> {
  const { status, json, text } = await answer
  assert.equal(status, 200, text)
  return v.parse(Group, json?.data)
}

const group = (...names: readonly string[]) =>
  groupOf(call('POST', '/groups', { name: names.join(' and '), people: names.map(idOf) }))

const idOf = (name: string) => people[name] ?? ''

async function refused(answer: Promise<TestAnswer>, status: number, wanted: RegExp): Promise<void> {
  const { status: got, text } = await answer
  assert.equal(got, status, text)
  assert.match(text, wanted)
}

test('a group is made, read, changed field by field, and removed', async () => {
  const made = await group('ada', 'bob')
  const { id, createdAt } = made
  assert.deepEqual(made, { id, name: 'ada and bob', people: [idOf('ada'), idOf('bob')], createdAt })
  const changed = await groupOf(call('PATCH', `/groups/${id}`, { name: ' Nights ' }))
  assert.deepEqual(changed, { ...made, name: 'Nights' })
  assert.deepEqual(await groupOf(call('GET', `/groups/${id}`)), changed)
  const list = v.parse(v.array(Group), (await call('GET', '/groups')).json?.data)
  assert.deepEqual(list.at(-1), changed)
  assert.deepEqual((await call('DELETE', `/groups/${id}`)).json?.data, { id })
  for (const method of ['GET', 'PATCH', 'DELETE'])
    await refused(call(method, `/groups/${id}`, method === 'PATCH' ? {} : undefined), 404, /no such group/)
})

test('each fault of a group is named, and a stranger sees nothing of it', async () => {
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ name: '' }, /"path":"name"/],
    [{ people: [] }, /"path":"people"/],
    [{ people: [idOf('ada'), idOf('ada')] }, /"path":"people"/],
    [{ people: [idOf('ada'), NOBODY] }, /"path":"people.1"/],
    [{ people: [NO_GROUP] }, /"path":"people.0"/],
  ]
  for (const [fields, path] of faults)
    await refused(call('POST', '/groups', { name: 'G', people: [idOf('ada')], ...fields }), 400, path)
  const { id } = await group('ada')
  await refused(call('PATCH', `/groups/${id}`, { people: [NOBODY] }), 400, /"path":"people.0"/)
  const { token } = await gateway.newAccount()
  for (const method of ['GET', 'DELETE'])
    assert.equal((await gateway.call(method, `/api/v1/groups/${id}`, { token })).status, 404)
  const theirs = { name: 'G', people: [idOf('ada')] }
  await refused(gateway.call('POST', '/api/v1/groups', { token, json: theirs }), 400, /"path":"people.0"/)
  const webhook = { name: 'w', people: [id] }
  await refused(gateway.call('POST', '/api/v1/webhooks', { token, json: webhook }), 400, /"path":"people.0"/)
})

test('people read an alert once, whatever names them', async () => {
  const [one, other] = [await group('ada', 'bob'), await group('bob', 'eve')]
  const { id, url } = await webhooks.create({
    recipients: [NUMBERS.eve, '+14155550299'],
    people: [one.id, other.id, idOf('ada')],
  })
  const { messages } = triggeredOf(await webhooks.trigger(url, { message: 'first' }))
  const told = messages.map(({ phoneNumber }) => phoneNumber).toSorted()
  assert.deepEqual(told, [...Object.values(NUMBERS), '+14155550299'])
  // Who is in a group is looked up at each trigger.
  await groupOf(call('PATCH', `/groups/${one.id}`, { people: [idOf('eve')] }))
  await call('PATCH', `/people/${idOf('ada')}`, { phoneNumber: '+14155550211' })
  await webhooks.update(id, { recipients: [], people: [one.id, idOf('ada')] })
  const later = triggeredOf(await webhooks.trigger(url, { message: 'second' }))
  assert.deepEqual(
    later.messages.map(({ phoneNumber }) => phoneNumber),
    [NUMBERS.eve, '+14155550211'],
  )
  const tested = triggeredOf(await webhooks.call('POST', `/${id}/test`, {}))
  assert.equal(tested.messages.length, 2)
  await call('PATCH', `/people/${idOf('ada')}`, { phoneNumber: NUMBERS.ada })
})

test('a webhook names recipients, people or a policy, and each fault is named', async () => {
  const create = (fields: object) => call('POST', '/webhooks', { name: 'w', ...fields })
  await refused(create({}), 400, /"path":"recipients"/)
  await refused(create({ recipients: [], people: [] }), 400, /"path":"recipients"/)
  await refused(create({ people: [NOBODY] }), 400, /"path":"people.0"/)
  await refused(create({ people: [idOf('ada'), NO_GROUP] }), 400, /"path":"people.1"/)
  await refused(create({ people: [idOf('ada'), idOf('ada')] }), 400, /"path":"people"/)
  const made = webhookOf(await create({ people: [idOf('ada')] }))
  assert.deepEqual([made.recipients, made.people], [[], [idOf('ada')]])
  await refused(call('PATCH', `/webhooks/${made.id}`, { people: [] }), 400, /"path":"recipients"/)
  await refused(call('PATCH', `/webhooks/${made.id}`, { people: [NOBODY] }), 400, /"path":"people.0"/)
  assert.deepEqual((await webhooks.update(made.id, { name: 'x' })).people, [idOf('ada')])
  await call('DELETE', `/webhooks/${made.id}`)
})

test('what is named cannot be removed', async () => {
  const { id } = await group('bob')
  const steps = [{ afterMinutes: 0, tell: [id] }]
  const policy = await call('POST', '/policies', { name: 'Doors', steps })
  assert.deepEqual(policy.json?.data?.['steps'], [{ ...steps[0], ring: false, ringHours: null }])
  await refused(
    call('POST', '/policies', { name: 'P', steps: [{ ...steps[0], tell: [NO_GROUP] }] }),
    400,
    /tell.0/,
  )
  const webhook = await webhooks.create({ name: 'Bell', recipients: [], people: [id, idOf('eve')] })
  await refused(call('DELETE', `/groups/${id}`), 409, /the policy Doors, the webhook Bell/)
  await refused(call('DELETE', `/people/${idOf('bob')}`), 409, /the group bob/)
  await refused(call('DELETE', `/people/${idOf('eve')}`), 409, /the webhook Bell/)
  await call('DELETE', `/webhooks/${webhook.id}`)
  await refused(call('DELETE', `/groups/${id}`), 409, /the policy Doors:/)
})

test('bounds: 50 groups', async () => {
  const have = v.parse(v.array(Group), (await call('GET', '/groups')).json?.data).length
  for (let i = have; i < 50; i++) await group('ada')
  await refused(call('POST', '/groups', { name: 'x', people: [idOf('ada')] }), 409, /50 groups/)
})
