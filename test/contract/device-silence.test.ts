import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/kit/gateway.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

test('a phone that does not answer pings is disconnected; one that answers stays connected', async t => {
  // Long enough for the phone that answers, even on a busy machine.
  const gateway = await startGateway({ config: { devices: { offline_after_s: 3 } } })
  t.after(() => gateway.stop())
  const { accountId } = await gateway.owner()
  const open = async () => {
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    const { token } = await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    return RawPhone.ready(gateway.url, token)
  }
  const alive = await open()
  const silent = await open()
  silent.ignorePings()
  await silent.ended()
  alive.sendFrame({ type: 'received', id: '1', from: '+1', message: 'still here' })
  assert.equal((await alive.next('ack'))['id'], '1')
  alive.close()
})
