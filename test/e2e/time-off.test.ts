import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTimeMissing, wallClockOff } from '#test/kit/fake-time.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

test('the time without power is no silence of a webhook', { skip: fakeTimeMissing }, async t => {
  const env = wallClockOff('+0s')
  const gateway = await GatewayProcess.startBare(t, { env })
  await gateway.pair('one')
  const fields = { name: 'Backup', recipients: ['+14155550123'], silentAfterMinutes: 1 }
  const { id } = (await gateway.asOwner('POST', '/webhooks', fields)).data as { id: string }
  await gateway.kill()
  Object.assign(env, wallClockOff('+70s'))
  await gateway.restart()
  // What is due is done in the transaction of this change.
  await gateway.asOwner('PATCH', `/webhooks/${id}`, { name: 'Other' })
  const usage = ((await gateway.asOwner('GET', `/webhooks/${id}`)).data as { usage: { total: number } }).usage
  assert.equal(usage.total, 0, 'SILENT was not told')
})
