/** People, rotas and policies over real HTTP: shapes, bounds, refusals, and what refers to what. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { webhookOf } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
})

const NOBODY = 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const HOUR_MS = 3_600_000
let lastNumber = 100

function call(method: string, path: string, json?: unknown): Promise<TestAnswer> {
  return gateway.call(method, `/api/v1${path}`, { token: owner.token, ...(json !== undefined && { json }) })
}

async function ok<T extends v.GenericSchema>(
  schema: T,
  answer: Promise<TestAnswer>,
): Promise<v.InferOutput<T>> {
  const { status, json, text } = await answer
  assert.equal(status, 200, text)
  return v.parse(schema, json?.data)
}

const Person = v.strictObject(PersonResource.entries)
const Rota = v.strictObject(RotaResource.entries)
const Policy = v.strictObject(PolicyResource.entries)

function person(fields: object = {}): Promise<PersonResource> {
  lastNumber += 1
  const given = { name: `P${lastNumber}`, phoneNumber: `+14155550${lastNumber}`, ...fields }
  return ok(Person, call('POST', '/people', given))
}

function rota(people: readonly string[], fields: object = {}): Promise<RotaResource> {
  const given = { name: 'Evenings', people, days: 7, handover: 'mon 09:00', timeZone: 'UTC', ...fields }
  return ok(Rota, call('POST', '/rotas', given))
}

const policy = (tell: readonly string[], fields: object = {}) =>
  ok(Policy, call('POST', '/policies', { name: 'Servers', steps: [{ afterMinutes: 0, tell }], ...fields }))

async function refused(answer: Promise<TestAnswer>, status: number, wanted: RegExp): Promise<void> {
  const { status: got, text, json } = await answer
  assert.equal(got, status, text)
  assert.match(JSON.stringify(json), wanted)
}

const instantIn = (ms: number) => new Date(Date.now() + ms).toISOString()

test('a person is made, read, changed field by field, and removed', async () => {
  const quiet = { from: '22:00', to: '07:00', below: 'critical' }
  const made = await person({ name: ' Ada ', phoneNumber: '333 2345678', timeZone: 'Europe/Berlin', quiet })
  const { id, createdAt } = made
  const ada = { id, name: 'Ada', phoneNumber: '+393332345678', timeZone: 'Europe/Berlin', quiet, createdAt }
  assert.deepEqual(made, ada)
  const changed = await ok(Person, call('PATCH', `/people/${id}`, { name: 'Ada L' }))
  assert.deepEqual(changed, { ...ada, name: 'Ada L' })
  assert.deepEqual(await ok(Person, call('GET', `/people/${id}`)), changed)
  const cleared = await ok(Person, call('PATCH', `/people/${id}`, { quiet: null, timeZone: null }))
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  assert.deepEqual(cleared, { ...changed, quiet: null, timeZone })
  const list = await ok(v.array(Person), call('GET', '/people'))
  assert.ok(list.some(one => one.id === id))
  assert.deepEqual((await call('DELETE', `/people/${id}`)).json?.data, { id })
  await refused(call('GET', `/people/${id}`), 404, /no such person/)
  await refused(call('PATCH', `/people/${id}`, { name: 'x' }), 404, /no such person/)
  await refused(call('DELETE', `/people/${id}`), 404, /no such person/)
})

test('each fault of a person is named', async () => {
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ name: '' }, /"path":"name"/],
    [{ phoneNumber: 'nonsense' }, /"path":"phoneNumber"/],
    [{ phoneNumber: '+1' }, /"path":"phoneNumber"/],
    [{ timeZone: 'Mars/Base' }, /"path":"timeZone".*Europe\/Berlin/],
    [{ timeZone: '+01:00' }, /"path":"timeZone"/],
    [{ quiet: { from: '24:00', to: '07:00', below: 'warning' } }, /"path":"quiet.from"/],
    [{ quiet: { from: '22:00', to: '22:00', below: 'warning' } }, /"path":"quiet"/],
    [{ quiet: { from: '22:00', to: '07:00', below: 'info' } }, /"path":"quiet.below"/],
  ]
  for (const [fields, path] of faults) {
    const given = { name: 'Bob', phoneNumber: '+14155550199', ...fields }
    await refused(call('POST', '/people', given), 400, path)
  }
})

test('two people cannot have one number, however it is written', async () => {
  const one = await person({ phoneNumber: '+393332340001' })
  const other = await person()
  await refused(call('POST', '/people', { name: 'x', phoneNumber: '333 2340001' }), 409, new RegExp(one.name))
  await refused(call('PATCH', `/people/${other.id}`, { phoneNumber: '+393332340001' }), 409, /phone number/)
  await ok(Person, call('PATCH', `/people/${one.id}`, { phoneNumber: '+393332340001' }))
})

test('an API key may read, and may not write', async () => {
  const { id } = await person()
  for (const path of ['/people', `/people/${id}`, '/rotas', '/policies'])
    assert.equal((await gateway.call('GET', `/api/v1${path}`, { key: owner.liveKey })).status, 200)
  for (const [method, path] of [
    ['POST', '/people'],
    ['PATCH', `/people/${id}`],
    ['DELETE', `/people/${id}`],
    ['POST', '/rotas'],
    ['POST', '/policies'],
  ] as const) {
    const { status } = await gateway.call(method, `/api/v1${path}`, { key: owner.liveKey, json: {} })
    assert.ok(status === 401 || status === 403, `${method} ${path} ${status}`)
  }
})

test('another account sees nothing of it', async () => {
  const { id } = await person()
  const stranger = await gateway.newAccount()
  const theirs = await gateway.call('GET', `/api/v1/people/${id}`, { token: stranger.token })
  assert.equal(theirs.status, 404)
  const removal = await gateway.call('DELETE', `/api/v1/people/${id}`, { token: stranger.token })
  assert.equal(removal.status, 404)
  assert.deepEqual((await gateway.call('GET', '/api/v1/people', { token: stranger.token })).json?.data, [])
})

test('a rota tells who is on call, and an override replaces the person for its time', async () => {
  const [ada, bob, eve] = [await person(), await person(), await person()]
  const made = await rota([ada.id, bob.id])
  assert.deepEqual([made.onCall, made.overrides], [ada.id, []])
  const untilMs = Date.parse(made.until)
  assert.equal(new Date(untilMs).getUTCDay(), 1)
  assert.equal(made.until.slice(11), '09:00:00.000Z')
  assert.ok(untilMs > Date.now() && untilMs <= Date.now() + 7 * 24 * HOUR_MS)

  const span = { personId: eve.id, from: instantIn(-HOUR_MS), until: instantIn(HOUR_MS) }
  const replaced = await ok(Rota, call('POST', `/rotas/${made.id}/overrides`, span))
  const [override] = replaced.overrides
  assert.ok(override !== undefined)
  assert.equal(replaced.onCall, eve.id)
  assert.deepEqual(override, { ...span, id: override.id })
  // Of two overrides that overlap, the newest counts.
  const twice = await ok(Rota, call('POST', `/rotas/${made.id}/overrides`, { ...span, personId: bob.id }))
  assert.equal(twice.onCall, bob.id)
  await refused(call('DELETE', `/people/${eve.id}`), 409, /Evenings/)
  for (const { id } of twice.overrides) await ok(Rota, call('DELETE', `/rotas/${made.id}/overrides/${id}`))
  assert.deepEqual(await ok(Rota, call('GET', `/rotas/${made.id}`)), made)
  await refused(call('DELETE', `/rotas/${made.id}/overrides/${override.id}`), 404, /override/)
  await ok(Person, call('GET', `/people/${eve.id}`))
  assert.equal((await call('DELETE', `/people/${eve.id}`)).status, 200)
})

test('each fault of a rota and of an override is named', async () => {
  const { id } = await person()
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ people: [] }, /"path":"people"/],
    [{ people: [id, id] }, /"path":"people"/],
    [{ people: [id, NOBODY] }, /"path":"people.1"/],
    [{ days: 0 }, /"path":"days"/],
    [{ days: 29 }, /"path":"days"/],
    [{ handover: 'monday 9' }, /"path":"handover"/],
    [{ timeZone: 'Nowhere' }, /"path":"timeZone"/],
  ]
  for (const [fields, path] of faults) {
    const given = { name: 'R', people: [id], days: 7, handover: 'mon 09:00', ...fields }
    await refused(call('POST', '/rotas', given), 400, path)
  }
  const made = await rota([id])
  const span = { personId: id, from: instantIn(HOUR_MS), until: instantIn(2 * HOUR_MS) }
  const path = `/rotas/${made.id}/overrides`
  await refused(call('POST', path, { ...span, personId: NOBODY }), 400, /"path":"personId"/)
  await refused(call('POST', path, { ...span, until: span.from }), 400, /"path":"until"/)
  const past = { personId: id, from: instantIn(-2 * HOUR_MS), until: instantIn(-HOUR_MS) }
  await refused(call('POST', path, past), 400, /"path":"until"/)
  await refused(call('POST', `/rotas/rot_01KG9V0E7M4T0JH0Q4W2Z9R3XB/overrides`, span), 404, /rota/)
})

test('whoever is on call stays on call when people are added or moved', async () => {
  const [ada, bob, eve] = [await person(), await person(), await person()]
  const made = await rota([ada.id, bob.id])
  const moved = await ok(Rota, call('PATCH', `/rotas/${made.id}`, { people: [eve.id, bob.id, ada.id] }))
  assert.deepEqual([moved.onCall, moved.until], [ada.id, made.until])
  const without = await ok(Rota, call('PATCH', `/rotas/${made.id}`, { people: [eve.id, bob.id] }))
  assert.notEqual(without.onCall, ada.id)
  assert.equal(without.name, 'Evenings')
})

test('a policy has its defaults, and each fault is named', async () => {
  const [ada, bob] = [await person(), await person()]
  const single = await rota([ada.id], { name: 'Single' })
  const made = await policy([ada.id])
  assert.deepEqual([made.rounds, made.takenForMinutes], [2, 240])
  assert.deepEqual(made.steps, [{ afterMinutes: 0, tell: [ada.id], ring: false, ringHours: null }])
  const step = (afterMinutes: unknown, ...tell: unknown[]) => ({ afterMinutes, tell })
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ steps: [] }, /"path":"steps"/],
    [{ steps: [step(1, ada.id)] }, /"path":"steps"/],
    [{ steps: [step(0, ada.id), step(0, bob.id)] }, /"path":"steps"/],
    [{ steps: Array.from({ length: 11 }, (_, i) => step(i, ada.id)) }, /"path":"steps"/],
    [{ steps: [step(0)] }, /"path":"steps.0.tell"/],
    [{ steps: [step(0, ada.id), step(5, NOBODY)] }, /"path":"steps.1.tell.0"/],
    [{ steps: [step(0, 'nobody')] }, /"path":"steps.0.tell.0"/],
    [{ steps: [step(0, single.id, `${single.id}+1`)] }, /"path":"steps.0.tell.1".*Single/],
    [{ steps: [step(0, 'everyone')] }, /"path":"steps"/],
    [{ rounds: 6 }, /"path":"rounds"/],
    [{ takenForMinutes: 14 }, /"path":"takenForMinutes"/],
    [{ takenForMinutes: 10_081 }, /"path":"takenForMinutes"/],
  ]
  for (const [fields, path] of faults) {
    const given = { name: 'P', steps: [step(0, ada.id)], ...fields }
    await refused(call('POST', '/policies', given), 400, path)
  }
  await refused(call('PATCH', `/policies/${made.id}`, { steps: [step(0, NOBODY)] }), 400, /steps.0.tell.0/)
  const changed = await ok(Policy, call('PATCH', `/policies/${made.id}`, { rounds: 5 }))
  assert.deepEqual(changed, { ...made, rounds: 5 })
  assert.deepEqual(await ok(Policy, call('GET', `/policies/${made.id}`)), changed)
})

test('what is named cannot be removed, and a rota whose next person is told keeps two', async () => {
  const [ada, bob] = [await person(), await person()]
  const pair = await rota([ada.id, bob.id], { name: 'Pair' })
  const { id } = await policy([`${pair.id}+1`, 'everyone'], { name: 'Doors' })
  const given = { name: 'Bell', recipients: [], policyId: id }
  const webhook = webhookOf(await call('POST', '/webhooks', given))
  await refused(call('DELETE', `/people/${ada.id}`), 409, /the rota Pair/)
  await refused(call('DELETE', `/rotas/${pair.id}`), 409, /the policy Doors/)
  await refused(call('PATCH', `/rotas/${pair.id}`, { people: [ada.id] }), 409, /Doors/)
  await refused(call('DELETE', `/policies/${id}`), 409, /the webhook Bell/)
  await refused(call('DELETE', `/people/${id}`), 404, /no such person/)
  for (const path of [`/webhooks/${webhook.id}`, `/policies/${id}`, `/rotas/${pair.id}`, `/people/${ada.id}`])
    assert.equal((await call('DELETE', path)).status, 200, path)
})

test('a webhook has recipients, a policy, or both', async () => {
  const { id: policyId } = await policy([(await person()).id])
  const create = (fields: object) => call('POST', '/webhooks', { name: 'w', ...fields })
  await refused(create({ recipients: [] }), 400, /"path":"recipients"/)
  const unknown = 'pol_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
  await refused(create({ recipients: [], policyId: unknown }), 404, /no such policy/)
  const plain = webhookOf(await create({ recipients: ['+14155550123'] }))
  assert.equal(plain.policyId, null)
  const path = `/webhooks/${plain.id}`
  await refused(call('PATCH', path, { recipients: [] }), 400, /"path":"recipients"/)
  const both = webhookOf(await call('PATCH', path, { policyId, recipients: [] }))
  assert.deepEqual([both.policyId, both.recipients], [policyId, []])
  await refused(call('PATCH', path, { policyId: null }), 400, /"path":"recipients"/)
  assert.equal(webhookOf(await call('PATCH', path, { name: 'x' })).policyId, policyId)
})

test('bounds: people', async () => {
  const { most } = ACCOUNT_BOUNDS.people
  const have = (await ok(v.array(Person), call('GET', '/people'))).length
  for (let i = have; i < most; i++) await person()
  const one = { name: 'x', phoneNumber: '+14155559999' }
  await refused(call('POST', '/people', one), 409, new RegExp(`${most} people`))
})
