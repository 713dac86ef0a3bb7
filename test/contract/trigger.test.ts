import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import fc from 'fast-check'
import { type AlertCase, readAlertCases } from '#test/kit/alert-payloads.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { sized } from '#test/kit/test-size.ts'
import { triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let webhooks: WebhookCalls

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  await PairedPhone.pair(gateway, owner.accountId)
})

test('a trigger answers with the text and a queued message for each recipient', async () => {
  const recipients = ['+14155550123', '+436641234567']
  const { url, id } = await webhooks.create({ recipients })
  const answer = await webhooks.trigger(url, { title: 'Backup', message: 'failed' })
  const { message, messages, ...rest } = triggeredOf(answer)
  assert.deepEqual(rest, {
    triggered: true,
    reason: null,
    duplicate: false,
    gathered: false,
    incidentId: null,
  })
  assert.equal(message, 'FAILED Backup')
  assert.deepEqual(
    messages.map(({ phoneNumber, status }) => ({ phoneNumber, status })),
    recipients.map(phoneNumber => ({ phoneNumber, status: 'queued' })),
  )
  const [first] = messages
  const found = await gateway.call('GET', `/api/v1/sms/${first?.messageId}`, { key: owner.liveKey })
  assert.ok(found.json)
  const { kind, message: text, createdAt, expiresAt } = found.json.data
  assert.deepEqual([kind, text], ['webhook', message])
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 86_400_000)
  const { usage } = await webhooks.find(id)
  assert.deepEqual([usage.thisHour, usage.today, usage.total, usage.rejected], [1, 1, 1, 0])
  assert.equal(usage.lastTriggeredAt, createdAt)
})

test("an owner's test is sent from any address, counts, and is not repeated within a minute", async () => {
  const { id, url } = await webhooks.create({ name: 'Kuma', allowedIps: ['192.0.2.1'] })
  assert.equal((await webhooks.trigger(url, { message: 'x' })).status, 403)
  const first = triggeredOf(await webhooks.call('POST', `/${id}/test`))
  assert.deepEqual([first.message, first.messages.length], ['TEST Hello from the webhook Kuma', 1])
  const again = triggeredOf(await webhooks.call('POST', `/${id}/test`))
  assert.equal(again.duplicate, true)
  assert.deepEqual(
    again.messages.map(({ messageId }) => messageId),
    first.messages.map(({ messageId }) => messageId),
  )
  assert.equal((await webhooks.find(id)).usage.total, 1)
  const seen = await webhooks.call('GET', `/${id}/triggers`)
  assert.ok(seen.json)
  const triggers = seen.json.data['triggers'] as readonly { readonly outcome: string }[]
  const outcomes = triggers.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['DUPLICATE', 'TRIGGERED', 'ADDRESS_NOT_ALLOWED'])
  await webhooks.update(id, { enabled: false })
  assert.equal((await webhooks.call('POST', `/${id}/test`)).status, 409)
})

suite("each sender's body becomes the text that a person wants to read", () => {
  const cases = [...readAlertCases()].flatMap(([, list]) => list.slice(0, 3))
  for (const one of cases)
    test(one.name, async () => {
      const { url } = await webhooks.create()
      const answer = await gateway.call(one.method ?? 'POST', `${url}${queryOf(one)}`, requestOf(one))
      assert.equal(triggeredOf(answer).message, one.text)
    })
})

function queryOf({ query }: AlertCase): string {
  return query === undefined || query === '' ? '' : `?${query}`
}

function requestOf(one: AlertCase) {
  const headers = { ...one.headers, ...(one.contentType && { 'Content-Type': one.contentType }) }
  if (one.method === 'GET' || one.body === undefined) return { headers }
  return { headers, body: typeof one.body === 'string' ? one.body : JSON.stringify(one.body) }
}

const shapes: readonly [string, Record<string, string>, string][] = [
  [
    'JSON under a form type',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    '{"message":"disk full"}',
  ],
  ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'message=disk+full'],
  ['plain text', { 'Content-Type': 'text/plain' }, 'disk full'],
  ['text under a JSON type', { 'Content-Type': 'application/json' }, 'disk full'],
  [
    'JSON with a raw line end in a string',
    { 'Content-Type': 'application/json' },
    '{"message":"disk\nfull"}',
  ],
  [
    'multipart fields',
    { 'Content-Type': 'multipart/form-data; boundary=b' },
    '--b\r\nContent-Disposition: form-data; name="message"\r\n\r\ndisk full\r\n--b--\r\n',
  ],
]
for (const [what, headers, body] of shapes)
  test(`${what} is read`, async () => {
    const { url } = await webhooks.create()
    const { message } = triggeredOf(await gateway.call('POST', url, { headers, body }))
    assert.match(message, /^disk\W+full$/)
  })

test('nothing in a request changes who is texted, from which phone, or how often', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 2 })
  const fields = {
    recipients: ['+436641234567'],
    to: '+436641234567',
    phone: '+436641234567',
    phoneNumber: '+436641234567',
    deviceId: 'dev_00000000000000000000000000',
    maxPerHour: 1000,
    ttl: 60,
    priority: 'normal',
    enabled: false,
    webhookId: 'whk_1',
  }
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const posted = triggeredOf(await webhooks.trigger(`${url}?${query}`, { ...fields, message: 'a' }))
  const got = triggeredOf(await gateway.call('GET', `${url}?${query}&message=b`))
  for (const { messages } of [posted, got]) {
    assert.deepEqual(
      messages.map(({ phoneNumber }) => phoneNumber),
      ['+14155550123'],
    )
    const path = `/api/v1/sms/${messages[0]?.messageId}`
    const { json } = await gateway.call('GET', path, { key: owner.liveKey })
    assert.ok(json)
    const { createdAt, expiresAt } = json.data
    assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 86_400_000)
  }
  assert.equal((await webhooks.trigger(url, { message: 'c' })).status, 429)
  const { recipients, maxPerHour, deviceId, enabled } = await webhooks.find(id)
  assert.deepEqual([recipients, maxPerHour, deviceId, enabled], [['+14155550123'], 2, null, true])
})

test('of 200 triggers at once with a cap of 20, 20 are accepted, each for every recipient', async () => {
  const { url, id } = await webhooks.create({ recipients: ['+14155550123', '+14155550124', '+14155550125'] })
  const from = Date.now()
  const calls = Array.from({ length: 200 }, (_, i) => webhooks.trigger(url, { message: `alert ${i}` }))
  const answers = await Promise.all(calls)
  const accepted = answers.filter(({ status }) => status === 200).map(triggeredOf)
  const over = answers.filter(({ status }) => status === 429)
  assert.deepEqual([accepted.length, over.length], [20, 180])
  assert.ok(accepted.every(({ messages }) => messages.length === 3))
  assert.equal(new Set(accepted.flatMap(({ messages }) => messages.map(m => m.messageId))).size, 60)
  for (const { json, headers } of over) {
    const { limit, used, resetAt } = json?.error.details ?? {}
    assert.deepEqual([limit, used], [20, 20])
    const waitS = Number(headers.get('retry-after'))
    assert.ok(waitS > 3500 && waitS <= 3600, String(waitS))
    // The wait is in whole seconds, from some time during the calls.
    const answeredAt = Date.parse(String(resetAt)) - waitS * 1000
    assert.ok(answeredAt > from - 2000 && answeredAt < Date.now() + 2000, `${answeredAt - from} ms`)
  }
  const { usage } = await webhooks.find(id)
  assert.deepEqual([usage.thisHour, usage.total, usage.rejected], [20, 20, 180])
})

test('a repeated request gets the first messages again and does not count', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 2 })
  const first = triggeredOf(await webhooks.trigger(url, { message: 'again' }))
  const again = await Promise.all(
    Array.from({ length: 10 }, () => webhooks.trigger(url, { message: 'again' })),
  )
  for (const answer of again) assert.deepEqual(triggeredOf(answer), { ...first, duplicate: true })
  triggeredOf(await webhooks.trigger(url, { message: 'other' }))
  assert.equal((await webhooks.trigger(url, { message: 'third' })).status, 429)
  assert.equal(triggeredOf(await webhooks.trigger(url, { message: 'other' })).duplicate, true)
  assert.equal((await webhooks.find(id)).usage.total, 2)
})

test('the same alert, posted to several threads at once, is sent once', async () => {
  const { url } = await webhooks.create()
  const calls = Array.from({ length: 30 }, () => webhooks.trigger(url, { message: 'once' }))
  const all = (await Promise.all(calls)).map(triggeredOf)
  assert.equal(all.filter(({ duplicate }) => !duplicate).length, 1)
  assert.equal(new Set(all.flatMap(({ messages }) => messages.map(m => m.messageId))).size, 1)
})

test('two alerts that differ only in their title header are both sent', async () => {
  const { url } = await webhooks.create()
  const send = (title: string) => gateway.call('POST', url, { body: 'down', headers: { Title: title } })
  assert.equal(triggeredOf(await send('NAS')).message, 'NAS: down')
  assert.equal(triggeredOf(await send('Router')).message, 'Router: down')
})

test('no trigger of the old address is accepted after the answer to a rotation', async () => {
  const { url, id } = await webhooks.create({ maxPerHour: 1000 })
  let rotatedAt = Number.POSITIVE_INFINITY
  let sent = 0
  // Wrong tokens are counted by address.
  const headers = { 'X-Forwarded-For': '198.18.4.1' }
  const sender = async () => {
    const seen: { startedAt: number; status: number }[] = []
    for (let late = 0; late < 10; ) {
      const startedAt = performance.now()
      const { status } = await webhooks.trigger(url, { message: `alert ${sent++}` }, { headers })
      seen.push({ startedAt, status })
      if (startedAt > rotatedAt) late++
    }
    return seen
  }
  const senders = Array.from({ length: 8 }, sender)
  while (sent < 60) await new Promise(resolve => setImmediate(resolve))
  const rotated = await webhooks.rotate(id)
  rotatedAt = performance.now()
  const { total } = (await webhooks.find(id)).usage
  const seen = (await Promise.all(senders)).flat()
  assert.ok(seen.some(({ status }) => status === 200))
  const late = seen.filter(({ startedAt }) => startedAt > rotatedAt)
  assert.equal(late.length, 80)
  assert.ok(late.every(({ status }) => status === 404 || status === 429))
  assert.equal((await webhooks.find(id)).usage.total, total)
  assert.equal(seen.filter(({ status }) => status === 200).length, total)
  triggeredOf(await webhooks.trigger(rotated.url, { message: 'new' }))
})

test('any bytes become a text of 1 to 480 UTF-16 units', async () => {
  const { url } = await webhooks.create({ maxPerHour: 1000 })
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc.json({ maxDepth: 4 }).map(text => new TextEncoder().encode(text)),
    fc.constant(new TextEncoder().encode('['.repeat(100_000))),
  )
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(...types), fc.nat(), async (bytes, type, n) => {
      const headers = { 'Content-Type': type }
      const options = { headers, body: new Uint8Array(bytes) }
      const { message } = triggeredOf(await gateway.call('POST', `${url}?n=${n}`, options))
      assert.ok(message.length >= 1 && message.length <= 480)
      assert.ok(!/\p{Cc}/u.test(message))
    }),
    { numRuns: sized(50, 150) },
  )
})

test('no token is in the log', () => {
  assert.ok(!JSON.stringify(gateway.log).includes('/webhook/'))
})
