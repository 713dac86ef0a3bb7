import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { BroadcastChannel } from 'node:worker_threads'
import type { Log } from '#app/log.ts'
import { Closer } from '#app/threads/closer.ts'
import { PHONE_RESTART_MS_MIN, startPhones } from '#app/threads/reached-phones.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { phonesWithAccess, savePhoneAccess } from '#storage/phone-access-file.ts'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'

test('a phone thread that dies is restarted, each time after a longer wait', {
  timeout: HANGS_AFTER_MS,
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
  assert.deepEqual(phone.transmitted, [id])
})

test('a phone whose password file is missing says so, until the file is back', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway({ config: { devices: { allowed_hosts: ['127.0.0.1'] } } })
  t.after(() => gateway.stop())
  const { token, accountId } = await gateway.owner()
  const watch = await watchGateway(gateway, token)
  t.after(() => watch.close())
  const about = { name: 'Hall', protocol: 'smsgate', appVersion: null } as const
  const { deviceId, token: deviceToken } = await gateway.ask('device.add', { accountId, ...about })
  const trouble = async () =>
    (await gateway.call('GET', '/api/v1/devices', { token })).json?.data[0]?.['trouble'] ?? null
  await watch.until(trouble, words => /^its password file is missing in secrets\//.test(String(words)))
  const status = await gateway.call('GET', '/api/v1/status', { token })
  assert.match(JSON.stringify(status.json), /No phone can send: Hall: its password file is missing/)
  const access = { url: 'http://127.0.0.1:9', username: 'sms', password: 'x', phoneId: 'p' }
  savePhoneAccess(dataDirectory(gateway.dataDir), deviceId, { ...access, token: deviceToken })
  await watch.until(trouble, words => !/password file/.test(String(words)))
})

test('a phone that is added while the devices are listed keeps its password', async t => {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(folder)
  mkdirSync(directory.secrets)
  const access = { url: 'http://127.0.0.1:9', username: 'sms', password: 'x', phoneId: 'p', token: 't' }
  const config = { ...CONFIG_DEFAULTS, data_dir: folder }
  const [added, removed] = ['0', '1'].map(digit => `dev_${digit.repeat(26)}`) as [string, string]
  savePhoneAccess(directory, removed, access)
  const writer = {
    async ask() {
      savePhoneAccess(directory, added, access)
      return []
    },
  } as Partial<Writer> as Writer
  const closer = new Closer()
  const log: Log = { write: () => undefined, entry: () => undefined }
  startPhones({ config, log, writer, writerThread: { onReachedPhones: () => {} }, entry: undefined }, closer)
  await closer.close()
  assert.deepEqual(phonesWithAccess(directory), [added])
})
