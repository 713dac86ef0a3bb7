import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSE } from '#contracts/device-frames.ts'
import { frameOf, RawPhone, SIM_HELLO } from '#test/kit/raw-websocket.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

test('a phone without a good hello reads in the close frame what is wrong', async () => {
  const gateway = await sharedGateway()
  const { accountId } = await gateway.newAccount()
  const reasonAfter = async (payload: string) => {
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    const { token } = await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    const phone = await RawPhone.open(gateway.url, token)
    phone.write(frameOf({ payload }))
    const ending = await phone.ended()
    assert.equal(ending.code, CLOSE.protocolError)
    return ending.reason
  }
  const start = 'the first frame must be hello'
  assert.equal(await reasonAfter('{"type":"telemetry"}'), start)
  assert.equal(await reasonAfter('{'), `${start}: the frame is not JSON`)
  assert.equal(
    await reasonAfter(JSON.stringify({ ...SIM_HELLO, protocol: 2 })),
    `${start}: protocol: must be 1`,
  )
  const long = await reasonAfter('{"type":"nothing"}')
  assert.ok(Buffer.byteLength(long) <= 123 && long.startsWith(`${start}: type: must be "hello" or `), long)
})
