/** Storms, the notice at the first refusal, and silence, over real HTTP. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { WebhookTriggers } from '#contracts/seen-trigger.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { type SharedGateway, startGateway, type TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { answerOf, triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls

beforeEach(async () => {
  const shared = await sharedGateway()
  use(shared, await shared.newAccount())
  await PairedPhone.pair(gateway, owner.accountId)
})

function use(gatewayOfTest: SharedGateway, account: TestAccount): void {
  gateway = gatewayOfTest
  owner = account
  webhooks = new WebhookCalls(gateway, owner.token)
}

const kuma = (name: string, status: 0 | 1) => ({
  monitor: { name },
  heartbeat: { status, msg: status === 0 ? 'timeout' : '200 - OK' },
})

/** The texts of a webhook, oldest first. */
async function textsOf(webhookId: string): Promise<unknown[]> {
  const { json } = await gateway.call('GET', `/api/v1/sms?webhookId=${webhookId}&limit=200`, {
    key: owner.liveKey,
  })
  return (json?.data ?? []).map(({ message }) => message).reverse()
}

test('a webhook gathers from the fifth alert on, and never answers 429', async () => {
  const { url, id } = await webhooks.create({ gather: true, maxPerHour: 5 })
  for (let i = 1; i <= 4; i++) {
    const { gathered, messages } = triggeredOf(await webhooks.trigger(url, kuma(`M${i}`, 0)))
    assert.deepEqual([gathered, messages.length], [false, 1])
  }
  for (let i = 5; i <= 30; i++)
    assert.deepEqual(answerOf(await webhooks.trigger(url, kuma(`M${i}`, 0))), {
      triggered: true,
      reason: null,
      duplicate: false,
      gathered: true,
      message: `DOWN M${i}: timeout`,
      messages: [],
      incidentId: null,
    })
  const again = answerOf(await webhooks.trigger(url, kuma('M30', 0)))
  assert.deepEqual([again.duplicate, again.gathered, again.messages], [true, true, []])
  const { json } = await webhooks.call('GET', `/${id}/triggers`)
  const { triggers } = v.parse(WebhookTriggers, json?.data)
  const [newest, next] = triggers
  assert.deepEqual(
    [newest?.outcome, next?.outcome, next?.message],
    ['DUPLICATE', 'GATHERED', 'DOWN M30: timeout'],
  )
  for (let i = 1; i <= 9; i++) triggeredOf(await webhooks.trigger(url, kuma(`M${i}`, 1)))
  await webhooks.update(id, { gather: false })
  const texts = await textsOf(id)
  assert.equal(texts.length, 5)
  assert.match(String(texts[4]), /^21 down: M10, M11, M12, .*M30\. 9 up again$/)
  assert.deepEqual((await webhooks.find(id)).usage.total, 5)
})

test('a storm names the machines of the same check, and knows of ends that are not texted', async () => {
  const { url, id } = await webhooks.create({ gather: true, sendRecovered: false })
  const ping = (host: string, state: string) => ({ host, service: 'PING', state, output: 'rta 3 ms' })
  for (let i = 1; i <= 4; i++) triggeredOf(await webhooks.trigger(url, kuma(`M${i}`, 0)))
  for (const host of ['web1', 'db1', 'nas']) triggeredOf(await webhooks.trigger(url, ping(host, 'WARNING')))
  for (let i = 1; i <= 3; i++)
    assert.equal(answerOf(await webhooks.trigger(url, kuma(`M${i}`, 1))).reason, 'FILTERED')
  await webhooks.update(id, { gather: false })
  assert.match(String((await textsOf(id)).at(-1)), /^3 down: PING web1, PING db1, PING nas\. 1 still down$/)
})

test('a critical alert is told at once during a storm', async () => {
  const { url } = await webhooks.create({ gather: true })
  for (let i = 1; i <= 5; i++) triggeredOf(await webhooks.trigger(url, kuma(`M${i}`, 0)))
  const alarm = (title: string) => ({ title, status: 'firing', severity: 'critical', message: 'fire' })
  const answers = []
  for (const title of ['Cellar', 'Attic', 'Garage'])
    answers.push(triggeredOf(await webhooks.trigger(url, alarm(title))))
  assert.deepEqual(
    answers.map(({ gathered, messages }) => [gathered, messages.length]),
    [
      [false, 1],
      [false, 1],
      [true, 0],
    ],
  )
})

test("the owner's test, Gotify and ntfy work at a webhook that gathers", async () => {
  const { url, id } = await webhooks.create({ gather: true })
  for (let i = 1; i <= 5; i++) triggeredOf(await webhooks.trigger(url, kuma(`M${i}`, 0)))
  assert.equal(triggeredOf(await webhooks.call('POST', `/${id}/test`)).gathered, false)
  const token = url.split('/').at(-1)
  const json = { title: 'Backup', message: 'failed', priority: 5 }
  const answer = await gateway.call('POST', `/message?token=${token}`, { json })
  assert.equal(answer.status, 200, answer.text)
})

test('without gather, one text at once says that alerts are refused, and until when', async () => {
  for (const summarizeOverflow of [true, false]) {
    const { url, id } = await webhooks.create({ name: 'Monitoring', maxPerHour: 2, summarizeOverflow })
    const answers = []
    for (let i = 1; i <= 9; i++) answers.push(await webhooks.trigger(url, kuma(`M${i}`, 0)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, ...Array(7).fill(429)],
    )
    const [notice, ...others] = (await textsOf(id)).slice(2)
    assert.deepEqual(others, [])
    const words =
      /^Monitoring: more than 2 alerts in an hour; further ones are held back until \d\d:\d\d or told /
    if (summarizeOverflow) assert.match(String(notice), words)
    else assert.equal(notice, undefined)
    assert.equal((await webhooks.find(id)).usage.total, 2)
  }
})

test('silence is told once, and its end with whatever comes next', async t => {
  const dataDir = temporaryDirectory(t)
  const first = await startGateway({ dataDir })
  t.after(() => first.stop())
  use(first, await first.owner())
  await PairedPhone.pair(gateway, owner.accountId)
  const made = await Promise.all(
    ['Backup', 'Off', 'Unwatched'].map(name => webhooks.create({ name, silentAfterMinutes: 1 })),
  )
  const [watched, off, unwatched] = made
  if (watched === undefined || off === undefined || unwatched === undefined) throw new Error('not made')
  await webhooks.update(off.id, { enabled: false })
  await webhooks.update(unwatched.id, { silentAfterMinutes: null })
  await first.stop()
  const database = new DatabaseSync(dataDirectory(dataDir).database)
  database.exec('UPDATE webhook SET silent_at = 0 WHERE silent_at IS NOT NULL')
  database.close()
  const second = await startGateway({ dataDir })
  t.after(() => second.stop())
  use(second, await second.owner())
  assert.match((await textsOf(watched.id)).join(), /^SILENT Backup: nothing since \d\d:\d\d( UTC)?$/)
  const refused = await webhooks.update(watched.id, { allowedIps: ['192.0.2.1'] })
  assert.equal((await webhooks.trigger(watched.url, kuma('NAS', 0))).status, 403)
  assert.equal((await textsOf(watched.id)).length, 1)
  await webhooks.update(refused.id, { allowedIps: [] })
  for (let i = 0; i < 2; i++)
    assert.equal((await fetch(gateway.url + watched.url, { method: 'HEAD' })).status, 200)
  assert.equal((await gateway.call('GET', watched.url)).status, 200)
  assert.deepEqual((await textsOf(watched.id)).slice(1), ['OK Backup: heard again'])
  const { usage } = await webhooks.find(watched.id)
  assert.deepEqual([usage.total, usage.thisHour], [2, 0])
  for (const { id } of [off, unwatched]) assert.deepEqual(await textsOf(id), [])
})

test('the settings of storms and silence are checked, kept and changed', async () => {
  const plain = await webhooks.create()
  assert.deepEqual([plain.gather, plain.silentAfterMinutes], [false, null])
  for (const silentAfterMinutes of [1, 44_640]) {
    const made = await webhooks.create({ gather: true, silentAfterMinutes })
    assert.deepEqual([made.gather, made.silentAfterMinutes], [true, silentAfterMinutes])
  }
  const changed = await webhooks.update(plain.id, { gather: true, silentAfterMinutes: 1440 })
  assert.deepEqual([changed.gather, changed.silentAfterMinutes], [true, 1440])
  assert.equal((await webhooks.update(plain.id, { silentAfterMinutes: null })).silentAfterMinutes, null)
  for (const silentAfterMinutes of [0, -1, 44_641, 1.5, '5', true]) {
    const { status, json } = await webhooks.call('PATCH', `/${plain.id}`, { silentAfterMinutes, gather: 'x' })
    assert.equal(status, 400)
    const paths = json?.error.details?.issues?.map(({ path }) => path)
    assert.deepEqual(paths?.sort(), ['gather', 'silentAfterMinutes'])
  }
})
