import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'
import { WRONG_TOKENS_PER_MINUTE } from '#transport/http/trigger-webhook.ts'

let gateway: SharedGateway
let webhooks: WebhookCalls

beforeEach(async () => {
  gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  await PairedPhone.pair(gateway, owner.accountId)
})

const allowlist: readonly [string, readonly string[], string | null, number][] = [
  ['without a list every address may trigger', [], null, 200],
  ['the address itself', ['127.0.0.1'], null, 200],
  ['a block around it', ['127.0.0.0/8'], null, 200],
  ['its mapped form', ['::ffff:127.0.0.1'], null, 200],
  ['another address', ['192.0.2.1'], null, 403],
  ['::/0 covers no IPv4 address', ['::/0'], null, 403],
  ['an address that a trusted proxy names', ['192.0.2.1'], '192.0.2.1', 200],
  ["the proxy's own address does not count for its clients", ['127.0.0.1'], '192.0.2.1', 403],
  ['the right-most address that is no trusted proxy counts', ['192.0.2.1'], '192.0.2.1, 198.51.100.7', 403],
  ['trusted proxies to the right are skipped', ['192.0.2.1'], '198.51.100.7, 192.0.2.1, 127.0.0.9', 200],
  ['an IPv4-mapped address behind a proxy', ['192.0.2.0/24'], '::ffff:192.0.2.77', 200],
  ['an IPv6 address behind a proxy', ['2001:db8::/32'], '2001:db8::1', 200],
  ['an IPv6 neighbour', ['2001:db8:1::/48'], '2001:db8:2::1', 403],
]
for (const [what, allowedIps, forwarded, status] of allowlist)
  test(`allowlist: ${what}`, async () => {
    const { url, id } = await webhooks.create({ allowedIps })
    const headers = forwarded === null ? {} : { 'X-Forwarded-For': forwarded }
    const answer = await webhooks.trigger(url, { message: 'x' }, { headers })
    assert.equal(answer.status, status, answer.text)
    const { usage } = await webhooks.find(id)
    assert.deepEqual([usage.total, usage.rejected], status === 200 ? [1, 0] : [0, 1])
  })

test('a disabled webhook answers 404, and works as before when it is enabled', async () => {
  const { url, id } = await webhooks.create({ enabled: false })
  assert.equal((await webhooks.trigger(url, { message: 'x' })).status, 404)
  await webhooks.update(id, { enabled: true })
  triggeredOf(await webhooks.trigger(url, { message: 'x' }))
})

test('wrong webhook tokens are limited per caller, and valid tokens still pass', async () => {
  const { url } = await webhooks.create({ maxPerHour: 1000 })
  const headers = { 'X-Forwarded-For': '198.51.100.23' }
  const startedAt = performance.now()
  const calls = Array.from({ length: 60 }, (_, i) =>
    gateway.call('POST', `/api/v1/webhook/${String(i).padStart(38, 'x')}`, { headers, body: 'x' }),
  )
  const answers = await Promise.all(calls)
  const refilled = Math.ceil(((performance.now() - startedAt) * WRONG_TOKENS_PER_MINUTE) / 60_000)
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  assert.ok(count(404) >= WRONG_TOKENS_PER_MINUTE && count(404) <= WRONG_TOKENS_PER_MINUTE + refilled)
  assert.equal(count(404) + count(429), 60)
  const refused = answers.find(({ status }) => status === 429)
  assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
  for (let i = 0; i < 70; i++) triggeredOf(await webhooks.trigger(url, { message: `a ${i}` }, { headers }))
  const elsewhere = { 'X-Forwarded-For': '198.51.100.24' }
  assert.equal((await gateway.call('GET', '/api/v1/webhook/nothing', { headers: elsewhere })).status, 404)
})

test('triggers do not count as API calls, and their answers show the calls left', async () => {
  const account = await gateway.newAccount('few calls')
  const tight = new WebhookCalls(gateway, account.token)
  await PairedPhone.pair(gateway, account.accountId)
  const { url } = await tight.create()
  for (let i = 0; i < 8; i++) {
    const { headers } = await tight.trigger(url, { message: `alert ${i}` })
    assert.equal(headers.get('x-ratelimit-limit'), '5')
    assert.equal(headers.get('x-ratelimit-remaining'), '4')
    assert.ok(Number(headers.get('x-ratelimit-reset')) > 0)
  }
})

test("an alert is sent to all recipients or, if the day's quota is too small, to none", async () => {
  const account = await gateway.newAccount('five texts')
  const tight = new WebhookCalls(gateway, account.token)
  await PairedPhone.pair(gateway, account.accountId)
  const { url, id } = await tight.create({ recipients: ['+14155550123', '+14155550124'] })
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await tight.trigger(url, { message: `alert ${i}` }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429, 429],
  )
  const { limit, used } = answers[3]?.json?.error.details ?? {}
  assert.deepEqual([limit, used], [5, 4])
  assert.ok(Number(answers[3]?.headers.get('retry-after')) > 0)
  const { usage } = await tight.find(id)
  assert.deepEqual([usage.total, usage.thisHour, usage.rejected], [2, 2, 2])
})

test('without a paired phone an alert is refused and not counted', async () => {
  const account = await gateway.newAccount()
  const phoneless = new WebhookCalls(gateway, account.token)
  const { url, id } = await phoneless.create()
  const answer = await phoneless.trigger(url, { message: 'x' })
  assert.deepEqual([answer.status, answer.json?.error.code], [503, 'NO_DEVICE_AVAILABLE'])
  const { usage } = await phoneless.find(id)
  assert.deepEqual([usage.total, usage.rejected], [0, 0])
})
