/** Alerts that somebody answers, over real HTTP and a real socket of a phone. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { IncidentResource } from '#contracts/incident.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { answerOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

const ADA = '+14155550201'
const BOB = '+14155550202'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls
let phone: PairedPhone
let policyId: string
let people: { readonly ada: string; readonly bob: string }

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  told = 0
  await phone.reportReceived({ id: 'first', from: ADA, message: 'hello' })
  const personOf = async (name: string, phoneNumber: string) =>
    String((await post('people', { name, phoneNumber })).json?.data['id'])
  people = { ada: await personOf('Ada', ADA), bob: await personOf('Bob', BOB) }
  const steps = [
    { afterMinutes: 0, tell: [people.ada] },
    { afterMinutes: 5, tell: [people.bob] },
  ]
  policyId = String((await post('policies', { name: 'Night', steps })).json?.data['id'])
})
afterEach(() => phone.disconnect())

function post(path: string, json?: unknown) {
  return gateway.call('POST', `/api/v1/${path}`, { token: owner.token, ...(json !== undefined && { json }) })
}

/** An incident as the API shows it, checked against the schema. */
async function incidentOf(answer: ReturnType<typeof post>): Promise<IncidentResource> {
  const { status, json, text } = await answer
  assert.equal(status, 200, text)
  return v.parse(v.strictObject(IncidentResource.entries), json?.data)
}

const find = (id: string) =>
  incidentOf(gateway.call('GET', `/api/v1/incidents/${id}`, { key: owner.liveKey }))

/** The texts since the last call, once there are so many. */
let told = 0
async function news(count: number): Promise<string[]> {
  const all = await phone.whenSent(told + count)
  const fresh = all.slice(told).map(({ phoneNumber, message }) => `${phoneNumber}: ${message}`)
  told = all.length
  return fresh
}

/** The incidents of all accounts that somebody has. */
async function countTaken(): Promise<number> {
  const { status, text } = await gateway.call('GET', '/metrics')
  // A thread of a busy machine may be late with its numbers.
  if (status === 503) return countTaken()
  return Number(/^roost_incidents\{state="taken"\} (\d+)$/m.exec(text)?.[1])
}

const down = (name: string) => ({ monitor: { name }, heartbeat: { status: 0, msg: 'timeout' } })
const up = (name: string) => ({ monitor: { name }, heartbeat: { status: 1, msg: '200 - OK' } })

test('an alert is told, passed on, taken by a text, and over', async () => {
  const before = await countTaken()
  const { url, id: webhookId } = await webhooks.create({ recipients: [], policyId })
  const opened = answerOf(await webhooks.trigger(url, down('NAS')))
  assert.deepEqual([opened.triggered, opened.messages], [true, []])
  const incidentId = String(opened.incidentId)
  assert.deepEqual(await news(1), [`${ADA}: DOWN NAS: timeout\nReply 2: I take it`])
  const again = answerOf(await webhooks.trigger(url, down('NAS')))
  assert.deepEqual([again.duplicate, again.incidentId], [true, incidentId])
  await phone.reportReceived({ id: 'no', from: ADA, message: 'No' })
  assert.deepEqual(await news(2), [
    `${ADA}: Passed on: DOWN NAS: timeout`,
    `${BOB}: DOWN NAS: timeout\nReply 2: I take it`,
  ])
  await phone.reportReceived({ id: 'take', from: BOB, message: '2 8h' })
  assert.deepEqual(await news(2), [
    `${BOB}: Yours: DOWN NAS: timeout`,
    `${ADA}: Bob has it: DOWN NAS: timeout`,
  ])
  assert.equal(await countTaken(), before + 1)
  const taken = await find(incidentId)
  assert.deepEqual(
    [taken.state, taken.number, taken.webhookId, taken.policyId, taken.takenBy, taken.alerts],
    ['taken', 2, webhookId, policyId, people.bob, 1],
  )
  assert.equal(Date.parse(String(taken.takenUntil)) - Date.parse(String(taken.takenAt)), 8 * 3_600_000)
  assert.equal(answerOf(await webhooks.trigger(url, up('NAS'))).incidentId, incidentId)
  assert.equal((await news(2)).length, 2)
  const over = await find(incidentId)
  assert.deepEqual([over.state, over.number, over.closedBy], ['closed', null, 'sender'])
  const seen = await gateway.call('GET', '/api/v1/received?limit=2', { key: owner.liveKey })
  assert.equal(seen.json?.data.length, 2)
})

test('lists are filtered and paged, and show only the account’s own incidents', async () => {
  const { url, id: webhookId } = await webhooks.create({ recipients: [], policyId })
  const ids = []
  for (const name of ['A', 'B', 'C']) ids.push(answerOf(await webhooks.trigger(url, down(name))).incidentId)
  await news(3)
  const list = async (query: string, options: object = { key: owner.liveKey }) => {
    const { json, text, status } = await gateway.call('GET', `/api/v1/incidents?${query}`, options)
    assert.equal(status, 200, text)
    return { ids: json?.data.map(({ id }) => id), next: json?.page?.nextCursor ?? null }
  }
  const first = await list(`webhookId=${webhookId}&limit=2`)
  assert.deepEqual(first.ids, [ids[2], ids[1]])
  const second = await list(`webhookId=${webhookId}&limit=2&cursor=${first.next}`)
  assert.deepEqual(second, { ids: [ids[0]], next: null })
  assert.deepEqual((await list(`webhookId=${webhookId}&state=closed`)).ids, [])
  assert.deepEqual((await list('', { key: owner.testKey })).ids, [])
  const stranger = await gateway.newAccount()
  assert.deepEqual((await list('', { token: stranger.token })).ids, [])
  for (const verb of ['take', 'next', 'close'])
    assert.equal(
      (await gateway.call('POST', `/api/v1/incidents/${ids[0]}/${verb}`, { token: stranger.token })).status,
      404,
    )
  assert.equal(
    (await gateway.call('GET', '/api/v1/incidents?state=lost', { key: owner.liveKey })).status,
    400,
  )
})

test('the owner takes, passes on and closes; an API key may only read', async () => {
  const { url } = await webhooks.create({ recipients: [], policyId })
  const path = `incidents/${answerOf(await webhooks.trigger(url, down('owner'))).incidentId}`
  await news(1)
  for (const verb of ['take', 'next', 'close'])
    assert.equal((await gateway.call('POST', `/api/v1/${path}/${verb}`, { key: owner.liveKey })).status, 401)
  const taken = await incidentOf(post(`${path}/take`, { minutes: 30 }))
  assert.deepEqual([taken.state, taken.takenBy], ['taken', 'owner'])
  assert.match((await news(1))[0] ?? '', /Owner has it: DOWN owner: timeout$/)
  assert.equal((await post(`${path}/take`, { minutes: 0 })).status, 400)
  assert.equal((await post(`${path}/take`, { personId: 'per_nobody' })).status, 400)
  assert.equal((await incidentOf(post(`${path}/next`))).state, 'open')
  assert.match((await news(1))[0] ?? '', new RegExp(`^\\${BOB}: DOWN owner`))
  const closed = await incidentOf(post(`${path}/close`))
  assert.deepEqual([closed.state, closed.closedBy], ['closed', 'owner'])
  await news(2)
  for (const verb of ['take', 'next', 'close']) assert.equal((await post(`${path}/${verb}`)).status, 409)
})

test('a policy can be rehearsed, and a webhook without recipients says so instead of a test', async () => {
  const { id } = await webhooks.create({ recipients: [], policyId })
  assert.equal((await webhooks.call('POST', `/${id}/test`)).status, 409)
  const rehearsal = await incidentOf(post(`policies/${policyId}/rehearse`))
  assert.equal(rehearsal.webhookId, null)
  assert.match((await news(1))[0] ?? '', /^\+14155550201: TEST Night: rehearsal\nReply \d+: I take it$/)
  assert.equal((await post(`policies/${policyId}/rehearse`)).status, 409)
  await incidentOf(post(`incidents/${rehearsal.id}/close`))
  await news(1)
  assert.equal((await post('policies/pol_unknown/rehearse')).status, 404)
})

test('a recovery closes its incident, although the webhook filters recoveries', async () => {
  const { url } = await webhooks.create({ policyId, sendRecovered: false })
  const { incidentId, messages } = answerOf(await webhooks.trigger(url, down('filter')))
  assert.equal(messages.length, 1)
  await news(2)
  const { triggered, reason, incidentId: same } = answerOf(await webhooks.trigger(url, up('filter')))
  assert.deepEqual([triggered, reason, same], [false, 'FILTERED', incidentId])
  assert.match((await news(1))[0] ?? '', /^\+14155550201: UP filter/)
})
