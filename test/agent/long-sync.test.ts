import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentRig } from '#test/kit/agent-rig.ts'
import { offerOf } from '#test/kit/fake-gateway.ts'

const options = { timeout: 20_000 }

test('a long journal is synced in several frames', options, async t => {
  const rig = await agentRig(t)
  rig.start()
  const phone = await rig.gateway.phone()
  await phone.handshake()
  for (let n = 1; n <= 400; n++) phone.say(offerOf(n))
  await phone.settled()
  phone.cut()
  const again = await rig.gateway.phone()
  const held = await again.handshake()
  assert.equal(held.length, 400)
  assert.ok(again.heard.filter(frame => frame.type === 'sync').length > 1)
})
