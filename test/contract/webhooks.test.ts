import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { PreviewResource } from '#contracts/preview.ts'
import { WebhookResource } from '#contracts/webhook.ts'
import { WEBHOOKS_PER_ACCOUNT_MAX } from '#domain/webhook/manage-webhook.ts'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { triggeredOf, WebhookCalls, webhookOf } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls
let others: WebhookCalls
let phone: PairedPhone

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  others = new WebhookCalls(gateway, (await gateway.newAccount()).token)
  phone = await PairedPhone.pair(gateway, owner.accountId)
})

function issuesOf(answer: TestAnswer): readonly string[] {
  assert.equal(answer.status, 400, answer.text)
  return (answer.json?.error.details?.issues ?? []).map(issue => issue.path)
}

test('a webhook has every default, and its secret only in the answer that made it', async () => {
  const created = await webhooks.create({ recipients: ['+1 415 555 0123', '+43 664 1234567'] })
  assert.match(created.id, /^whk_[0-9A-Z]{26}$/)
  assert.match(created.token ?? '', /^[0-9A-Za-z]{32,}$/)
  assert.equal(created.url, `/api/v1/webhook/${created.token}`)
  assert.equal(created.tokenHint, created.token?.slice(-4))
  assert.deepEqual(created.recipients, ['+14155550123', '+436641234567'])
  const { maxPerHour, messageTemplate, allowedIps, deviceId, enabled, usage } = created
  assert.deepEqual(
    { maxPerHour, messageTemplate, allowedIps, deviceId, enabled, usage },
    {
      maxPerHour: 20,
      messageTemplate: null,
      allowedIps: [],
      deviceId: null,
      enabled: true,
      usage: { thisHour: 0, today: 0, total: 0, rejected: 0, guessed: 0, lastTriggeredAt: null },
    },
  )
  assert.deepEqual(await webhooks.find(created.id), { ...created, token: null, url: null, mailAddress: null })
  const list = await webhooks.call('GET')
  assert.ok(!list.text.includes(created.token ?? ''))
  const listed = v.parse(v.array(v.strictObject(WebhookResource.entries)), list.json?.data)
  assert.deepEqual(listed.at(-1), { ...created, token: null, url: null, mailAddress: null })
})

test('a list of webhooks has their last alerts, if asked for', async () => {
  const quiet = await webhooks.create({ name: 'Quiet' })
  const { id, url } = await webhooks.create({ name: 'Loud' })
  for (const body of ['The first alert', 'The second alert'])
    triggeredOf(await gateway.call('POST', url, { body }))
  const listed = async () => (await webhooks.call('GET', '?lastAlert=true')).json?.data ?? []
  let last: Record<string, unknown> | null | undefined
  while (last?.['message'] !== 'The second alert')
    last = (await listed()).find(one => one['id'] === id)?.['lastAlert'] as typeof last
  assert.deepEqual({ ...last, at: '' }, { at: '', message: 'The second alert', guess: true })
  assert.equal((await listed()).find(one => one['id'] === quiet.id)?.['lastAlert'], null)
  assert.ok(((await webhooks.call('GET')).json?.data ?? []).every(one => !('lastAlert' in one)))
  assert.deepEqual(issuesOf(await webhooks.call('GET', '?lastAlert=yes')), ['lastAlert'])
})

test('every fault of a creation is named at once', async () => {
  const answer = await webhooks.call('POST', '', {
    name: '',
    recipients: ['+14155550123', '333 12', '+1 (415) 555-0123', '+1'],
    maxPerHour: 1001,
    messageTemplate: 'x'.repeat(1001),
    allowedIps: ['10.0.0.0/8', '10.1.2.3/8', '010.0.0.1', 'fe80::1%eth0', ''],
    deviceId: 'dev_00000000000000000000000000',
    enabled: 'yes',
  })
  assert.deepEqual([...issuesOf(answer)].sort(), [
    'allowedIps.1',
    'allowedIps.2',
    'allowedIps.3',
    'allowedIps.4',
    'enabled',
    'maxPerHour',
    'messageTemplate',
    'name',
    'recipients.1',
    'recipients.2',
    'recipients.3',
  ])
})

test('recipients may begin with 00, or lack the + where that is clear', async () => {
  const { recipients } = await webhooks.create({
    recipients: ['004915112345678', '447911123456', '333 1234567'],
  })
  assert.deepEqual(recipients, ['+4915112345678', '+447911123456', '+393331234567'])
  const twice = ['+14155550123', '0014155550123', '33612345678']
  const answer = await webhooks.call('POST', '', { name: 'a', recipients: twice })
  assert.deepEqual([...issuesOf(answer)].sort(), ['recipients.1', 'recipients.2'])
})

const twentyOne = Array.from({ length: 21 }, (_, i) => `+1415555${String(i).padStart(4, '0')}`)
const refused: readonly [string, object, readonly string[]][] = [
  ['nothing at all', {}, ['name', 'recipients']],
  ['no recipient', { name: 'a', recipients: [] }, ['recipients']],
  ['21 recipients', { name: 'a', recipients: twentyOne }, ['recipients']],
  ['a recipient that is no text', { name: 'a', recipients: [4155550123] }, ['recipients.0']],
  ['recipients as text', { name: 'a', recipients: '+14155550123' }, ['recipients']],
  ['a name of 81 characters', { name: 'x'.repeat(81), recipients: ['+14155550123'] }, ['name']],
  ['a cap of 0', { name: 'a', recipients: ['+14155550123'], maxPerHour: 0 }, ['maxPerHour']],
  ['half a trigger', { name: 'a', recipients: ['+14155550123'], maxPerHour: 1.5 }, ['maxPerHour']],
  ['an address as text', { name: 'a', recipients: ['+14155550123'], allowedIps: '::1' }, ['allowedIps']],
  ['a number as address', { name: 'a', recipients: ['+14155550123'], allowedIps: [7] }, ['allowedIps.0']],
]
for (const [what, json, paths] of refused)
  test(`${what} is refused with the path of the fault`, async () => {
    assert.deepEqual(issuesOf(await webhooks.call('POST', '', json)), paths)
  })

test('20 recipients, a cap of 1000 and a template of 1000 characters are accepted', async () => {
  const created = await webhooks.create({
    name: 'x'.repeat(80),
    recipients: twentyOne.slice(1),
    maxPerHour: 1000,
    messageTemplate: 'x'.repeat(1000),
    allowedIps: ['192.0.2.1', '2001:db8::/32', '::ffff:10.0.0.0/104'],
    deviceId: phone.deviceId,
    enabled: false,
  })
  assert.equal(created.recipients.length, 20)
  assert.deepEqual([created.deviceId, created.enabled], [phone.deviceId, false])
})

test("another account's phone gets the same 404 as an unknown one, after other faults", async () => {
  const json = { name: 'a', recipients: ['+14155550123'] }
  const { id } = await webhooks.create()
  for (const deviceId of [phone.deviceId, 'dev_00000000000000000000000000', 'nothing']) {
    const created = await others.call('POST', '', { ...json, deviceId })
    assert.deepEqual([created.status, created.json?.error.code], [404, 'NOT_FOUND'])
    assert.deepEqual(issuesOf(await others.call('POST', '', { ...json, deviceId, name: '' })), ['name'])
  }
  const changed = await webhooks.call('PATCH', `/${id}`, { deviceId: 'dev_00000000000000000000000000' })
  assert.deepEqual([changed.status, changed.json?.error.code], [404, 'NOT_FOUND'])
  assert.equal((await webhooks.find(id)).deviceId, null)
})

test('a change alters only the named fields, and null removes a template', async () => {
  const { id } = await webhooks.create({ messageTemplate: 'Hi {{name}}', maxPerHour: 7 })
  const before = await webhooks.find(id)
  const changed = await webhooks.update(id, { recipients: ['+436641234567'], enabled: false })
  assert.deepEqual(changed, {
    ...before,
    recipients: ['+436641234567'],
    enabled: false,
    updatedAt: changed.updatedAt,
  })
  assert.equal((await webhooks.update(id, { messageTemplate: null })).messageTemplate, null)
  const faulty = await webhooks.call('PATCH', `/${id}`, {
    name: null,
    recipients: ['+436641234567', '+43 664 1234567'],
    allowedIps: ['::1', 'nowhere'],
  })
  assert.deepEqual([...issuesOf(faulty)].sort(), ['allowedIps.1', 'name', 'recipients.1'])
  assert.equal((await webhooks.find(id)).name, before.name)
})

test('id, token, usage and account in a body change nothing', async () => {
  const { id, tokenHint } = await webhooks.create()
  const usage = { thisHour: 9, today: 9, total: 9, rejected: 9, lastTriggeredAt: null }
  const changed = await webhooks.update(id, { id: 'x', token: 'y', tokenHint: 'zzzz', usage, accountId: 'a' })
  assert.deepEqual([changed.id, changed.tokenHint, changed.usage.total], [id, tokenHint, 0])
})

test("another account's webhook gets 404 for every request", async () => {
  const { id } = await webhooks.create()
  const calls: readonly [string, string, object?][] = [
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, { name: 'mine' }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/rotate`],
    ['POST', `/${id}/test`],
  ]
  for (const [method, path, json] of calls)
    assert.equal((await others.call(method, path, json)).status, 404, method)
  assert.deepEqual((await others.call('GET')).json?.data, [])
  assert.equal((await webhooks.find(id)).name, 'alerts')
})

test('a key is refused, and so is a request without a credential', async () => {
  for (const options of [{ key: owner.liveKey }, { key: owner.testKey }, {}])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/preview'],
      ['GET', '/whk_1'],
      ['PATCH', '/whk_1'],
      ['DELETE', '/whk_1'],
      ['POST', '/whk_1/rotate'],
      ['POST', '/whk_1/test'],
    ]) {
      const answer = await gateway.call(method ?? '', `/api/v1/webhooks${path}`, options)
      assert.equal(answer.status, 401, `${method} ${path}`)
    }
})

test('a removed webhook is answered with its id, is not listed, and its address gets 404', async () => {
  const { id, url } = await webhooks.create()
  assert.deepEqual((await webhooks.call('DELETE', `/${id}`)).json?.data, { id })
  assert.equal((await webhooks.call('GET', `/${id}`)).status, 404)
  assert.equal((await webhooks.call('DELETE', `/${id}`)).status, 404)
  assert.equal((await webhooks.trigger(url, { message: 'x' })).status, 404)
})

test('a rotated webhook keeps everything except its token', async () => {
  const created = await webhooks.create({ maxPerHour: 3 })
  const rotated = await webhooks.rotate(created.id)
  assert.notEqual(rotated.token, created.token)
  assert.equal(rotated.tokenHint, rotated.token?.slice(-4))
  assert.notEqual(rotated.mailAddress, created.mailAddress)
  const { token, url, mailAddress, tokenHint, updatedAt, ...same } = rotated
  assert.deepEqual({ ...created, ...same }, created)
  assert.equal((await webhooks.find(created.id)).tokenHint, tokenHint)
})

test('a preview says what would be sent, and sends nothing', async () => {
  const preview = async (json: object) =>
    v.parse(
      v.strictObject(PreviewResource.entries),
      (await webhooks.call('POST', '/preview', json)).json?.data,
    )
  const payload = { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }
  const told = async (json: object) => {
    const { guess: _, fields, shape, confirmationUrl, ...text } = await preview(json)
    return text
  }
  assert.deepEqual(await told({ payload }), {
    message: 'DOWN NAS: timeout',
    format: 'uptime-monitor',
    severity: 'critical',
    state: 'firing',
    segments: 1,
    encoding: 'GSM-7',
  })
  const filled = await told({ payload, messageTemplate: '{{monitor.name}} šta?' })
  assert.deepEqual(filled, {
    message: 'NAS šta?',
    format: 'template',
    severity: 'critical',
    state: 'firing',
    segments: 1,
    encoding: 'UCS-2',
  })
  assert.equal((await preview({ payload: 'disk full' })).message, 'disk full')
  assert.equal((await preview({ payload: null })).format, 'digest')
  const raw = async (body: string, contentType?: string) => (await preview({ body, contentType })).message
  assert.equal(
    await raw('title=NAS&message=disk+full', 'application/x-www-form-urlencoded'),
    'NAS: disk full',
  )
  assert.equal(await raw('disk full', 'text/plain'), 'disk full')
  assert.equal(await raw(JSON.stringify(payload)), 'DOWN NAS: timeout')
  assert.equal(await raw(''), 'ALERT without details')
  assert.deepEqual(issuesOf(await webhooks.call('POST', '/preview', { payload, body: 'x' })), ['payload'])
  const faulty = await webhooks.call('POST', '/preview', { messageTemplate: 'x'.repeat(1001) })
  assert.deepEqual([...issuesOf(faulty)].sort(), ['messageTemplate', 'payload'])
})

test('an account has a bounded number of webhooks', async () => {
  const crowded = new WebhookCalls(gateway, (await gateway.newAccount()).token)
  const creations = Array.from({ length: WEBHOOKS_PER_ACCOUNT_MAX + 5 }, () =>
    crowded.call('POST', '', { name: 'a', recipients: ['+14155550123'] }),
  )
  const statuses = (await Promise.all(creations)).map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, WEBHOOKS_PER_ACCOUNT_MAX)
  assert.equal(statuses.filter(status => status === 409).length, 5)
})

test('only the hash of a token is on disk', async () => {
  const created = await webhooks.create()
  webhookOf(await webhooks.call('GET', `/${created.id}`))
  const { DatabaseSync } = await import('#storage/sqlite.ts')
  const { dataDirectory } = await import('#storage/data-directory.ts')
  const database = new DatabaseSync(dataDirectory(gateway.dataDir).database, { readOnly: true })
  const row = database.prepare('SELECT * FROM webhook WHERE id = ?').get(created.id)
  database.close()
  assert.ok(!JSON.stringify(row).includes(created.token ?? ''))
  assert.ok(row?.['token_hash'] instanceof Uint8Array)
})
