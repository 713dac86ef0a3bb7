import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { CreatedKeyResource, KeyResource, RevokedKeyResource } from '#contracts/account.ts'
import { KEYS_VALID_MAX } from '#domain/account/manage-key.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
let owner: TestAccount
let other: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  other = await gateway.newAccount()
})

async function createKey(account: TestAccount, json: unknown) {
  const answer = await gateway.call('POST', '/api/v1/keys', { token: account.token, json })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return v.parse(v.strictObject(CreatedKeyResource.entries), answer.json?.data)
}

async function listKeys(account: TestAccount) {
  const { json, text } = await gateway.call('GET', '/api/v1/keys', { token: account.token })
  return { keys: v.parse(v.array(v.strictObject(KeyResource.entries)), json?.data), text }
}

test('a key is shown at its creation and never again', async () => {
  const created = await createKey(owner, { name: ' monitor ' })
  assert.match(created.key, /^sk_live_[0-9A-Za-z]{38}$/)
  assert.deepEqual([created.name, created.test, created.hint], ['monitor', false, created.key.slice(-4)])
  assert.equal((await gateway.call('GET', '/api/v1/account/usage', { key: created.key })).status, 200)
  const { keys, text } = await listKeys(owner)
  const { key, ...record } = created
  // The gateway may or may not have recorded the key's use yet.
  assert.deepEqual({ ...keys[0], lastUsedAt: null }, record)
  assert.ok(!text.includes(key))
})

test('a sandbox key sends without any phone, and its account can read the message', async () => {
  const { key, test } = await createKey(owner, { name: 'sandbox', test: true })
  assert.ok(test && key.startsWith('sk_test_'))
  const json = { phoneNumber: '+15005550006', message: 'hello' }
  const sent = await gateway.call('POST', '/api/v1/sms/send', { key, json })
  assert.equal(sent.status, 200)
  const path = `/api/v1/sms/${sent.json?.data['messageId']}`
  const { key: liveKey } = await createKey(owner, { name: 'live' })
  assert.equal((await gateway.call('GET', path, { key: liveKey })).status, 404)
  const { json: read } = await gateway.call('GET', path, owner)
  assert.equal(read?.data['message'], 'hello')
})

/** 150 units with an emoji in them: three segments of UCS-2. */
const ALERT = `[Nextcloud] [🔴 Down] **connect ECONNREFUSED** 192.168.1.20:443 – no answer from ‘cloud’
since 05:12:33 (Europe/Rome), last good answer “200 OK” 12 minutes ago`

test('a key for a monitor removes emoji and markup, so one segment suffices instead of three', async () => {
  const phoneNumber = '+15005550006'
  const send = async (key: string, path: string, json: object, headers = {}) => {
    assert.equal((await gateway.call('POST', path, { key, json, headers })).status, 200)
    const { json: listed } = await gateway.call('GET', '/api/v1/sms?limit=1', { key })
    const { message, segments, encoding } = listed?.data[0] ?? {}
    return { message, segments, encoding }
  }
  const words = [
    "[Nextcloud] [Down] connect ECONNREFUSED 192.168.1.20:443 - no answer from 'cloud'",
    'since 05:12:33 (Europe/Rome), last good answer "200 OK" 12 minutes ago',
  ]
  const cleaned = { message: words.join('\n'), segments: 1, encoding: 'GSM-7' }
  const asSent = { message: ALERT, segments: 3, encoding: 'UCS-2' }
  const plain = await createKey(owner, { name: 'as it came', test: true })
  const own = await createKey(owner, { name: 'monitor', test: true, cleanText: true })
  assert.deepEqual([plain.cleanText, own.cleanText], [false, true])
  const json = { phoneNumber, message: ALERT }
  assert.deepEqual(await send(plain.key, '/api/v1/sms/send', json), asSent)
  assert.deepEqual(await send(own.key, '/api/v1/sms/send', json), cleaned)
  const eagle = { to: [phoneNumber], text: ALERT }
  assert.deepEqual(await send(own.key, '/api/v2/messages/sms', eagle), cleaned)
  assert.equal((await listKeys(owner)).keys.find(({ id }) => id === own.id)?.cleanText, true)
})

test('a revoked key is refused by every thread at once, and is the last in the list', async () => {
  const { id, key } = await createKey(owner, { name: 'old' })
  const call = () => gateway.call('GET', '/api/v1/account/usage', { key })
  const statuses = async () =>
    new Set((await Promise.all(Array.from({ length: 20 }, call))).map(a => a.status))
  assert.deepEqual(await statuses(), new Set([200]))
  const answer = await gateway.call('DELETE', `/api/v1/keys/${id}`, { token: owner.token })
  assert.deepEqual(v.parse(RevokedKeyResource, answer.json?.data), { id })
  assert.deepEqual(await statuses(), new Set([401]))
  const last = (await listKeys(owner)).keys.at(-1)
  assert.equal(last?.id, id)
  assert.notEqual(last?.revokedAt, null)
  assert.equal((await gateway.call('DELETE', `/api/v1/keys/${id}`, { token: owner.token })).status, 404)
})

test('accounts see and revoke only their own keys', async () => {
  const { id, key } = await createKey(owner, { name: 'mine' })
  const theirs = (await listKeys(other)).keys
  assert.ok(theirs.length > 0 && theirs.every(({ accountId }) => accountId === other.accountId))
  const foreign = await gateway.call('DELETE', `/api/v1/keys/${id}`, { token: other.token })
  const missing = await gateway.call('DELETE', '/api/v1/keys/key_nothing', { token: other.token })
  assert.equal(foreign.status, 404)
  assert.equal(foreign.text, missing.text)
  assert.equal((await gateway.call('GET', '/api/v1/account/usage', { key })).status, 200)
})

test('accounts never see one another’s messages, devices and usage', async () => {
  const json = { phoneNumber: '+15005550006', message: 'only mine', queueIfOffline: true }
  const sent = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
  const { code } = await gateway.ask('device.create-pairing', { accountId: owner.accountId, name: null })
  await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  const as = async (account: TestAccount, path: string) =>
    (await gateway.call('GET', `/api/v1${path}`, { key: account.liveKey })).json
  assert.equal((await as(owner, '/sms'))?.data.length, 1)
  assert.deepEqual((await as(other, '/sms'))?.data, [])
  assert.equal((await as(other, `/sms/${sent.json?.data['messageId']}`))?.error.code, 'NOT_FOUND')
  assert.equal((await as(owner, '/devices'))?.data.length, 1)
  assert.deepEqual((await as(other, '/devices'))?.data, [])
  const usage = (await as(other, '/account/usage'))?.data['usage'] as Record<string, number>
  assert.equal(usage['smsThisMonth'], 0)
})

test('all faults in a request for a new key are named', async () => {
  const json = { name: ' ', test: 'yes', cleanText: 1 }
  const answer = await gateway.call('POST', '/api/v1/keys', { token: owner.token, json })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    answer.json?.error.details?.issues?.map(({ path }) => path),
    ['name', 'test', 'cleanText'],
  )
})

test('an account has a bounded number of valid keys', async () => {
  const { accountId, token } = await gateway.newAccount()
  for (let count = 2; count < KEYS_VALID_MAX; count++)
    await gateway.ask('key.create-own', { accountId, name: 'one more', test: false })
  const answer = await gateway.call('POST', '/api/v1/keys', { token, json: { name: 'too many' } })
  assert.equal(answer.json?.error.code, 'CONFLICT')
})
