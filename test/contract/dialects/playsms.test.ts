/** What only playSMS's dialect has: its operations and codes, and a path that others use, too. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let good: Readonly<Record<string, string>>

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  good = { app: 'ws', u: 'u', h: owner.testKey, op: 'pv', to: '+14155550123', msg: 'hello' }
})

const query = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()

async function errorOf(fields: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { status, text } = await gateway.call('POST', '/index.php', { headers, body: query(fields) })
  const { error, error_string: words } = JSON.parse(text)
  return [status, error ?? words]
}

test('each fault has its code, and only the operation that sends a text is carried out', async () => {
  assert.deepEqual(await errorOf(good), [200, null])
  assert.deepEqual(await errorOf({ ...good, h: 'wrong' }), [401, '100'])
  assert.deepEqual(await errorOf({ ...good, op: 'in' }), [400, '101'])
  assert.deepEqual(await errorOf({ ...good, schedule: '2030-01-01 00:00:00' }), [400, '201'])
  assert.deepEqual(await errorOf({ ...good, to: '@friend' }), [400, '201'])
  assert.deepEqual(await errorOf({ ...good, msg: '' }), [400, '201'])
})

test('fields that Roost does not use are named, and an unencoded + counts as +', async () => {
  const fields = query({ ...good, to: '', from: 'me', schedule: '' }).replace('to=', 'to=+14155550123')
  const { status, text, headers } = await gateway.call('GET', `/?${fields}`)
  assert.deepEqual([status, JSON.parse(text).data[0].to], [200, '+14155550123'], text)
  assert.equal(headers.get('x-roost-ignored'), 'from')
})

test('the address without a file stays with the console and with ntfy', async () => {
  const page = await gateway.call('GET', '/?app=other')
  assert.match(String(page.headers.get('content-type')), /^text\/html/)
  const { url } = await new WebhookCalls(gateway, owner.token).create({})
  const json = { topic: url.split('/').at(-1), message: 'by ntfy' }
  const { text } = await gateway.call('POST', '/', { json })
  assert.equal(JSON.parse(text).http, 503, text)
})
