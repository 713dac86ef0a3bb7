import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PAIRING_TRIES_ALL_MAX, PAIRING_TRIES_MAX } from '#domain/device/pairing-tries.ts'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
before(async () => {
  gateway = await sharedGateway()
})

/** Wrong codes are counted by address, so no other test uses these. */
const from = (last: number) => ({ 'X-Forwarded-For': `198.18.2.${last}` })

test('of 55 simultaneous wrong codes, five are compared', async () => {
  const wrong = Array.from({ length: 55 }, (_, i) => String(i).padStart(8, '0'))
  const tried = await Promise.all(
    wrong.map(code => gateway.call('POST', '/device/v1/pair', { json: { code }, headers: from(250) })),
  )
  const statuses = tried.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 401).length, PAIRING_TRIES_MAX)
  assert.equal(statuses.filter(status => status === 429).length, 55 - PAIRING_TRIES_MAX)
})

test('wrong codes from many addresses void the open codes; a new code pairs', async () => {
  const { accountId } = await gateway.newAccount()
  const create = () => gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const { code } = await create()
  for (let i = 0; i < PAIRING_TRIES_ALL_MAX; i += 1)
    await gateway.call('POST', '/device/v1/pair', {
      json: { code: '99999999' },
      headers: from(i),
    })
  const pair = (code: string) =>
    gateway.call('POST', '/device/v1/pair', { json: { code }, headers: from(251) })
  assert.equal((await pair(code)).status, 401)
  assert.ok(gateway.log.some(({ event }) => event === 'pairing.codes_voided'))
  assert.equal((await pair((await create()).code)).status, 200)
})

test('an address with five wrong codes must wait, even with the right code', async () => {
  const { accountId } = await gateway.newAccount()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const pair = (tried: string) =>
    gateway.call('POST', '/device/v1/pair', { json: { code: tried }, headers: from(252) })
  const wrong = code === '00000000' ? '00000001' : '00000000'
  for (let tries = 0; tries < PAIRING_TRIES_MAX; tries++) assert.equal((await pair(wrong)).status, 401)
  const { status, headers, json } = await pair(code)
  assert.equal(status, 429)
  const { limit, used, resetAt } = json?.error.details ?? {}
  assert.deepEqual([limit, used], [PAIRING_TRIES_MAX, PAIRING_TRIES_MAX])
  const waitMs = Number(headers.get('retry-after')) * 1000
  assert.ok(waitMs > 0)
  assert.ok(Math.abs(Date.parse(String(resetAt)) - Date.now() - waitMs) < 5000)
})
