import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EarlyThreads } from '#app/threads/early-threads.ts'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'

test('a gateway starts on an empty directory, answers its owner and stops with 0', async () => {
  const early = new EarlyThreads()
  early.start(bundled)
  const gateway = await startGateway({ config: { http: { listeners: 2 } }, early })
  try {
    assert.equal(early.take('writer'), undefined, 'the gateway did not use the early writer')
    assert.equal(early.take('listener'), undefined, 'the gateway did not use the early listener')
    const owner = await gateway.owner()
    const usage = await gateway.call('GET', '/api/v1/account/usage', { key: owner.liveKey })
    assert.equal(usage.status, 200, usage.text)
    assert.equal(usage.json?.data['plan'], 'pro')
    const byToken = await gateway.call('GET', '/api/v1/devices', { token: owner.token })
    assert.deepEqual(byToken.json, { success: true, data: [] })
    assert.equal((await gateway.call('GET', '/api/v1/devices')).json?.error.code, 'UNAUTHORIZED')
    assert.match(gateway.printed.join(''), /sk_test_/)
  } finally {
    assert.equal(await gateway.stop(), 0)
  }
})
