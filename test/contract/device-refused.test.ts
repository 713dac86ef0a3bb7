import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAME_BYTES_MAX } from '#contracts/bounds.ts'
import { frameOf, RawPhone } from '#test/kit/raw-websocket.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'
import { FRAME_BYTES_READ_MAX } from '#transport/device/roost/socket.ts'

for (const [what, bytes] of [
  ['too long', FRAME_BYTES_MAX + 1],
  ['so long that it is not read', FRAME_BYTES_READ_MAX + 1],
] as const)
  test(`a phone whose frame is ${what} is offline, and its trouble and the log say why`, async t => {
    const gateway = await sharedGateway()
    const { accountId, token } = await gateway.newAccount()
    const watch = await watchGateway(gateway, token)
    t.after(() => watch.close())
    const about = { name: 'Kitchen', protocol: 'roost', appVersion: null } as const
    const { deviceId, token: deviceToken } = await gateway.ask('device.add', { accountId, ...about })
    const device = async () => (await gateway.call('GET', '/api/v1/devices', { token })).json?.data[0]
    for (let connection = 0; connection < 2; connection++) {
      const phone = await RawPhone.open(gateway.url, deviceToken)
      phone.write(frameOf({ payload: ' '.repeat(bytes) }))
      await phone.ended()
    }
    const reason = 'a frame has at most 16384 bytes'
    await watch.until(device, seen => seen?.['trouble'] === `the gateway refuses its connections: ${reason}`)
    assert.equal((await device())?.['status'], 'offline')
    const refusals = gateway.log.filter(
      ({ event, fields }) => event === 'device.refused' && fields['deviceId'] === deviceId,
    )
    assert.deepEqual(
      refusals.map(({ level, fields }) => [level, fields?.['why'], fields?.['reason']]),
      [['warn', 'too-big', reason]],
    )
    const well = await RawPhone.ready(gateway.url, deviceToken)
    await watch.until(device, seen => seen?.['trouble'] === null && seen['status'] === 'online')
    well.close()
  })
