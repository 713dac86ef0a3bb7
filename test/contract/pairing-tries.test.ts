import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PAIRING_TRIES_MAX } from '#contracts/bounds.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startGateway()
})
after(() => gateway.stop())

test('an address with five wrong codes waits, also with the right one, as long as it is told', async () => {
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
