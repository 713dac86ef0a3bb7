import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectedAgent } from '#test/kit/agent-rig.ts'
import { offerOf } from '#test/kit/fake-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const options = { timeout: HANGS_AFTER_MS }

test('a long journal is synced in several frames', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  for (let n = 1; n <= 400; n++) phone.sendFrame(offerOf(n))
  await phone.settled()
  phone.cut()
  const again = await rig.gateway.nextPhone()
  const held = await again.handshake()
  assert.equal(held.length, 400)
  assert.ok(again.received.filter(frame => frame.type === 'sync').length > 1)
})
