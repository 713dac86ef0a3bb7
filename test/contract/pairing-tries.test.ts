import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PAIRING_TRIES_ALL_MAX, PAIRING_TRIES_MAX } from '#domain/device/pairing-tries.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'

let gateway: TestGateway
before(async () => {
  const http = { trusted_proxies: ['127.0.0.1'], anonymous_calls_per_minute: 60_000 }
  gateway = await startGateway({ config: { http } })
})
after(() => gateway.stop())

const from = (address: string) => ({ 'X-Forwarded-For': address })

test('of 55 simultaneous wrong codes, five are compared', async () => {
  const wrong = Array.from({ length: 55 }, (_, i) => String(i).padStart(8, '0'))
  const tried = await Promise.all(
    wrong.map(code =>
      gateway.call('POST', '/device/v1/pair', { json: { code }, headers: from('192.0.2.1') }),
    ),
  )
  const statuses = tried.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 401).length, PAIRING_TRIES_MAX)
  assert.equal(statuses.filter(status => status === 429).length, 55 - PAIRING_TRIES_MAX)
})

test('wrong codes from many addresses void the open codes; a new code pairs', async () => {
  const { accountId } = await gateway.owner()
  const create = () => gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const { code } = await create()
  for (let i = 0; i < PAIRING_TRIES_ALL_MAX; i += 1)
    await gateway.call('POST', '/device/v1/pair', {
      json: { code: '99999999' },
      headers: from(`192.0.2.${i}`),
    })
  const pair = (code: string) =>
    gateway.call('POST', '/device/v1/pair', { json: { code }, headers: from('198.51.100.1') })
  assert.equal((await pair(code)).status, 401)
  assert.ok(gateway.log.some(({ event }) => event === 'pairing.codes_voided'))
  assert.equal((await pair((await create()).code)).status, 200)
})

test('an address with five wrong codes must wait, even with the right code', async () => {
  const { accountId } = await gateway.owner()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const pair = (tried: string) => gateway.call('POST', '/device/v1/pair', { json: { code: tried } })
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
