import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { WebhookTriggers } from '#contracts/seen-trigger.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { answerOf, triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  await PairedPhone.pair(gateway, owner.accountId)
})

async function triggersOf(id: string): Promise<WebhookTriggers> {
  const { status, json, text } = await webhooks.call('GET', `/${id}/triggers`)
  assert.equal(status, 200, text)
  return v.parse(v.strictObject(WebhookTriggers.entries), json?.data)
}

const DOWN = { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }
const UP = { monitor: { name: 'NAS' }, heartbeat: { status: 1, msg: '200 OK' } }
const MILD = { title: 'NAS', severity: 'warning', message: 'disk 80 % full' }
const UNKNOWN = { message: 'hello' }

test('a webhook filters nothing by default, and keeps its filter settings', async () => {
  const created = await webhooks.create()
  const { minSeverity, sendRecovered, summarizeOverflow, keepLastBody } = created
  assert.deepEqual([minSeverity, sendRecovered, summarizeOverflow, keepLastBody], [null, true, true, true])
  const changed = {
    minSeverity: 'critical',
    sendRecovered: false,
    summarizeOverflow: false,
    keepLastBody: false,
  }
  const after = await webhooks.update(created.id, changed)
  assert.deepEqual({ ...after, ...changed }, after)
  assert.equal((await webhooks.update(created.id, { minSeverity: null })).minSeverity, null)
  const made = await webhooks.create(changed)
  assert.deepEqual({ ...made, ...changed }, made)
  const wrong = { minSeverity: 'bad', sendRecovered: 1, summarizeOverflow: 'x', keepLastBody: 'x' }
  const { status, json } = await webhooks.call('PATCH', `/${created.id}`, wrong)
  assert.equal(status, 400)
  assert.deepEqual(
    json?.error.details?.issues?.map(({ path }) => path),
    Object.keys(wrong),
  )
})

test('alerts below minSeverity send no text; alerts without a severity do', async () => {
  const { url, id } = await webhooks.create({ minSeverity: 'critical' })
  const filtered = answerOf(await webhooks.trigger(url, MILD))
  assert.deepEqual([filtered.triggered, filtered.reason, filtered.messages], [false, 'FILTERED', []])
  assert.match(filtered.message ?? '', /NAS/)
  for (const alert of [DOWN, UP, UNKNOWN]) triggeredOf(await webhooks.trigger(url, alert))
  const { usage } = await webhooks.find(id)
  assert.deepEqual([usage.total, usage.rejected], [3, 0])
})

test('without sendRecovered only recovery alerts send no text', async () => {
  const { url } = await webhooks.create({ sendRecovered: false })
  assert.equal(answerOf(await webhooks.trigger(url, UP)).reason, 'FILTERED')
  for (const alert of [DOWN, MILD, UNKNOWN]) triggeredOf(await webhooks.trigger(url, alert))
})

test('a filtered alert counts neither towards the cap nor as held back', async () => {
  const { url, id } = await webhooks.create({ sendRecovered: false, maxPerHour: 1 })
  triggeredOf(await webhooks.trigger(url, DOWN))
  assert.equal(answerOf(await webhooks.trigger(url, UP)).reason, 'FILTERED')
  assert.equal((await webhooks.trigger(url, MILD)).status, 429)
  await webhooks.update(id, { maxPerHour: 2 })
  const { json } = await gateway.call('GET', '/api/v1/sms?limit=1', { key: owner.liveKey })
  assert.match(String(json?.data[0]?.['message']), /^1 more alert held back\. Last: .*disk 80/)
})

test('the owner sees the last triggers with their addresses and results', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 1, sendRecovered: false })
  assert.deepEqual(await triggersOf(id), { triggers: [], lastBody: null, lastContentType: null })
  await gateway.call('GET', url)
  const { message } = triggeredOf(await webhooks.trigger(url, DOWN))
  await webhooks.trigger(url, DOWN)
  await webhooks.trigger(url, UP)
  await webhooks.trigger(url, MILD)
  await webhooks.update(id, { allowedIps: ['192.0.2.1'] })
  await gateway.call('GET', `${url}?message=lost%20one`)
  const { triggers, lastBody, lastContentType } = await triggersOf(id)
  assert.deepEqual(
    triggers.map(({ outcome }) => outcome),
    ['ADDRESS_NOT_ALLOWED', 'OVER_CAP', 'FILTERED', 'DUPLICATE', 'TRIGGERED'],
  )
  const [first] = triggers.slice(-1)
  assert.deepEqual(
    [first?.address, first?.outcome, first?.format, first?.message],
    ['127.0.0.1', 'TRIGGERED', 'uptime-monitor', message],
  )
  assert.ok(Date.parse(first?.at ?? '') <= Date.now())
  const form = 'application/x-www-form-urlencoded'
  assert.deepEqual([lastBody, lastContentType], ['message=lost%20one', form])
  const other = await gateway.newAccount()
  const nosy = await gateway.call('GET', `/api/v1/webhooks/${id}/triggers`, { token: other.token })
  assert.equal(nosy.status, 404)
})

test('the owner sees the text of an alert over the limit per hour, although it was not sent', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 1 })
  for (const alert of [DOWN, MILD]) await webhooks.trigger(url, alert)
  const [{ outcome, message } = { outcome: null, message: null }] = (await triggersOf(id)).triggers
  assert.equal(outcome, 'OVER_CAP')
  assert.match(message ?? '', /disk 80/)
})

test('the last body is cut to 16 KiB, can be previewed, and is kept only with keepLastBody', async () => {
  const { url, id } = await webhooks.create()
  await gateway.call('POST', url, { headers: { 'Content-Type': 'text/plain' }, body: 'ü'.repeat(10_000) })
  const { lastBody, lastContentType } = await triggersOf(id)
  assert.deepEqual([lastBody, lastContentType], ['ü'.repeat(8192), 'text/plain'])
  const gb = new Uint8Array(Buffer.from('b4c5c5ccb9cad5cf', 'hex'))
  await gateway.call('POST', url, { headers: { 'Content-Type': 'text/plain; charset=gb2312' }, body: gb })
  const inGb = await triggersOf(id)
  assert.deepEqual([inGb.lastBody, inGb.lastContentType], ['磁盘故障', 'text/plain; charset=utf-8'])
  await webhooks.trigger(url, DOWN)
  const { lastBody: body, lastContentType: contentType } = await triggersOf(id)
  assert.equal(body, JSON.stringify(DOWN))
  const preview = await webhooks.call('POST', '/preview', { body, contentType })
  assert.equal(preview.json?.data['message'], 'DOWN NAS: timeout')
  await webhooks.update(id, { keepLastBody: false })
  assert.equal((await triggersOf(id)).lastBody, null)
  await webhooks.trigger(url, { message: 'secret' })
  const { lastBody: none, triggers } = await triggersOf(id)
  assert.deepEqual([none, triggers.length], [null, 4])
})

test('the last twenty triggers are kept', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 100 })
  for (let i = 1; i <= 23; i++) await webhooks.trigger(url, { message: `alert ${i}` })
  const { triggers } = await triggersOf(id)
  assert.deepEqual(
    [triggers.length, triggers[0]?.message, triggers[19]?.message],
    [20, 'alert 23', 'alert 4'],
  )
})
