import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BroadcastChannel } from 'node:worker_threads'
import { PHONE_RESTART_MS_MIN } from '#contracts/hosted-phone-bounds.ts'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'

test('the thread of a phone that dies is started again, each time a little later', {
  timeout: 60_000,
}, async t => {
  const config = { devices: { allowed_hosts: ['127.0.0.1'] } }
  const gateway = await startGateway({ config, entries: { phone: bundled('mortal-phone') } })
  t.after(() => gateway.stop())
  const phone = await SmsgatePhone.start()
  t.after(() => phone.stop())
  const death = new BroadcastChannel('death')
  t.after(() => death.close())
  const { token, liveKey } = await gateway.owner()
  const watch = await watchGateway(gateway, token)
  t.after(() => watch.close())
  const { url, password } = phone
  const json = { kind: 'smsgate', url, password }
  const added = await gateway.call('POST', '/api/v1/devices', { token, json })
  assert.equal(added.status, 200)
  const delays = () =>
    gateway.log.filter(({ event }) => event === 'phone.restarting').map(({ fields }) => fields?.['delayMs'])
  const status = async () =>
    String((await gateway.call('GET', '/api/v1/devices', { token })).json?.data[0]?.['status'])

  await watch.until(status, word => word === 'online')
  for (const deaths of [1, 2]) {
    death.postMessage('phone')
    await watch.until(status, word => word === 'online' && delays().length === deaths)
  }
  assert.deepEqual(delays(), [PHONE_RESTART_MS_MIN, 2 * PHONE_RESTART_MS_MIN])
  const failed = gateway.log.filter(({ event }) => event === 'phone.failed')
  assert.deepEqual(
    failed.map(({ level }) => level),
    ['error', 'error'],
  )
  const sent = { phoneNumber: '+15005550006', message: 'after both' }
  const { json: answer } = await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json: sent })
  const id = String(answer?.data['messageId'])
  const ask = () => gateway.call('GET', `/api/v1/sms/${id}`, { key: liveKey })
  await watch.until(ask, ({ json }) => json?.data['status'] === 'delivered')
  assert.deepEqual(phone.air, [id])
})
