import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

test('a text goes from the API over a phone to its delivery', { timeout: 60_000 }, async t => {
  const gateway = await GatewayProcess.start(t)
  t.diagnostic(`ready after ${gateway.readyMs}`)
  const phone = new FakePhone(await gateway.pair('one'))
  await phone.connect(gateway.socketUrl)
  const id = await gateway.send('hello')
  const message = await gateway.reached(id, 'delivered')
  assert.deepEqual(
    message.timeline.map(entry => entry.status),
    ['queued', 'sending', 'delivered'],
  )
  assert.deepEqual(phone.radio, [id])
  assert.equal(await gateway.stop(), 0)
})
