/** Recorded requests of Gotify and ntfy clients trigger a webhook and get the answers that they expect. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { recorded, replay } from '#test/kit/dialect-client.ts'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let webhooks: WebhookCalls
let phone: PairedPhone
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
})
afterEach(() => phone.disconnect())

async function token(fields = {}): Promise<string> {
  const { url } = await webhooks.create(fields)
  return url.split('/').at(-1) ?? ''
}

/** For each client: which answers it accepts as success, and the text of its alert. */
const CLIENTS: readonly {
  readonly id: string
  readonly isContent: (answer: TestAnswer) => boolean
  readonly text: string
}[] = [
  {
    id: 'kuma-gotify',
    isContent: is2xx,
    text: 'DOWN Uptime-Kuma: Nextcloud: connect ECONNREFUSED 192.168.1.20:443',
  },
  { id: 'npm-gotify', isContent: isJson, text: 'Backup: Repo locked' },
  { id: 'npm-ntfy', isContent: isJson, text: 'Backup nas: Repo locked' },
  {
    id: 'apprise-ntfy',
    isContent: is200,
    text: 'Backup of nas: Borg: repository locked. Last good archive: nas-2026-11-20',
  },
  {
    id: 'netdata-ntfy',
    isContent: is200,
    text: [
      'nas: disk space usage - nas is critical: Disk /srv/photos space usage = 96.4%',
      'Total space utilization of disk /srv/photos',
    ].join(' - '),
  },
]

for (const { id, isContent, text } of CLIENTS)
  test(`${id}: the client gets a success, and the phone gets the text`, async () => {
    const before = phone.sent.length
    for (const request of recorded(id, await token())) {
      const answer = await replay(gateway, request)
      assert.ok(isContent(answer), `${answer.status} ${answer.text}`)
    }
    const sent = await phone.whenSent(before + 1)
    assert.equal(sent.at(-1)?.message, text)
  })

test('Gotify: the token may be in a header, and version and health can be read', async () => {
  const json = { title: 'Backup', message: 'failed', priority: 5 }
  for (const headers of [{ 'X-Gotify-Key': await token() }, { Authorization: `Bearer ${await token()}` }]) {
    const answer = await gateway.call('POST', '/message', { json, headers })
    assert.equal(answer.status, 200)
    const { id, date, ...rest } = answer.json as unknown as Record<string, unknown>
    assert.ok(Number.isSafeInteger(id) && !Number.isNaN(Date.parse(String(date))))
    assert.deepEqual(rest, { appid: 1, message: 'FAILED Backup', title: 'Backup', priority: 5 })
  }
  const form = { body: 'title=Backup&message=lost', headers: FORM }
  assert.equal((await gateway.call('POST', `/message?token=${await token()}`, form)).status, 200)
  assert.match((await gateway.call('GET', '/version')).text, /^\{"version":"2\./)
  assert.deepEqual(JSON.parse((await gateway.call('GET', '/health')).text).health, 'green')
})

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

test('ntfy: title and priority are read from header, query or JSON; 5 is critical, 4 a warning', async () => {
  const topic = await token({ minSeverity: 'critical' })
  const state = async (method: string, path: string, options = {}) => {
    const { status, text } = await gateway.call(method, path, options)
    assert.equal(status, 200, text)
    return JSON.parse(text).id !== ''
  }
  const body = (text: string) => ({ body: text })
  assert.equal(await state('PUT', `/${topic}?priority=4&title=Pump`, body('pressure a')), false)
  assert.equal(await state('PUT', `/${topic}?p=5&title=Pump`, body('pressure b')), true)
  const headers = { Title: 'Pump', Priority: 'high' }
  assert.equal(await state('POST', `/${topic}`, { ...body('pressure c'), headers }), false)
  const urgent = { ...headers, Priority: 'urgent' }
  assert.equal(await state('POST', `/${topic}`, { ...body('pressure d'), headers: urgent }), true)
  const json = { topic, title: 'Pump', message: 'pressure e' }
  assert.equal(await state('POST', '/', { json: { ...json, priority: 4 } }), false)
  assert.equal(await state('POST', '/', { json: { ...json, priority: 5 } }), true)
})

test('no text contains the token of its request', async () => {
  const topic = await token()
  const encoded = `=?utf-8?B?${Buffer.from(`Büro ${topic}`).toString('base64')}?=`
  const json = { title: `${topic} test`, message: `message ${topic} here` }
  const answers = [
    await gateway.call('POST', '/', { json: { topic, ...json } }),
    await gateway.call('POST', `/message?token=${topic}`, { json }),
    await gateway.call('POST', `/${topic}`, { body: 'words', headers: { Title: encoded } }),
    await gateway.call('POST', `/api/v1/webhook/${topic}`, { json }),
  ]
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const { text: listed } = await gateway.call('GET', '/api/v1/sms', { key: owner.liveKey })
  assert.ok(listed.includes('Büro') && !listed.includes(topic))
  assert.ok(!JSON.stringify(gateway.log).includes(topic))
})

test('a path that is not a topic gets the usual 404 or 405, and so does reading a topic', async () => {
  assert.equal((await gateway.call('POST', '/nothing', { body: 'x' })).json?.error.code, 'NOT_FOUND')
  assert.equal((await gateway.call('GET', `/${'x'.repeat(40)}`)).json?.error.code, 'NOT_FOUND')
  assert.equal((await gateway.call('PUT', '/healthz', { body: 'x' })).json?.error.code, 'METHOD_NOT_ALLOWED')
})

function is2xx({ status }: TestAnswer): boolean {
  return status >= 200 && status < 300
}

function is200({ status }: TestAnswer): boolean {
  return status === 200
}

function isJson(answer: TestAnswer): boolean {
  return is2xx(answer) && answer.json !== undefined
}

test('ntfy: a GET publishes by its query, and a sequence may follow the topic', async () => {
  const topic = await token()
  const before = phone.sent.length
  const calls = [
    ['GET', `/${topic}/publish?title=Pump&message=pressure%20low&priority=5`],
    ['GET', `/${topic}/send?m=Door%20open&t=Garage`],
    ['GET', `/${topic}/trigger`],
    ['PUT', `/${topic}/backup-7?title=Backup`, { body: 'disk full' }],
    ['HEAD', `/${topic}/publish?message=no`],
  ] as const
  for (const [method, path, options] of calls) {
    const { status, text } = await gateway.call(method, path, options)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  const sent = (await phone.whenSent(before + 4)).slice(before)
  const texts = sent.map(({ message }) => message).sort()
  assert.deepEqual(texts, [
    'ALERT without details',
    'Backup: disk full',
    'Garage: Door open',
    'Pump: pressure low',
  ])
  assert.equal((await gateway.call('GET', `/${'x'.repeat(40)}/publish?message=a`)).status, 403)
  assert.equal((await gateway.call('GET', '/docs/publish?message=a')).status, 404)
})
