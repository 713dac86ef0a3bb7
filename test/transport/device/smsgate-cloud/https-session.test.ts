/** A whole session of the app over HTTPS, on a phone that trusts only the gateway's own authority. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { cloudRig } from '#test/kit/cloud-rig.ts'
import { freePort } from '#test/kit/free-ports.ts'
import type { TestGateway } from '#test/kit/gateway.ts'
import { startHttpsGateway } from '#test/kit/https-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { selfSigned } from '#test/kit/self-signed.ts'

/** The times at which the app reached earlier states, as it reports them with each state. */
const STATES = { Pending: '2026-07-30T10:26:41.123+02:00', Processed: '2026-07-30T10:26:41.480+02:00' }
const RECEIVED = {
  ...{ message: "It's 5 > 3", receivedAt: '2026-07-30T10:26:41.000+02:00', messageId: '9c41d07e' },
  ...{ sender: '+15550100777', recipient: '+15550100001', simNumber: 1, phoneNumber: '+15550100777' },
}

/** Makes every call that the app makes when it starts. @returns the answers */
async function startUp(app: CloudApp, gatewayUrl: string) {
  const simCards = [{ slotIndex: 0, simNumber: 1, phoneNumber: '********0001', carrierName: '****bile' }]
  const [announced, pulled, hooks, settings] = await Promise.all([
    app.call('PATCH', '/device', { json: { id: app.deviceId, simCards } }),
    app.pull(),
    app.webhooks(),
    app.settings(),
  ])
  assert.deepEqual([announced.status, pulled], [204, []])
  for (const { url } of hooks) assert.ok(url.startsWith(`${gatewayUrl}/`), url)
  assert.equal(settings.gateway.notification_channel, 'SSE_ONLY')
  const streams = [await app.listen(), await app.listen()]
  for (const stream of streams) await stream.until('SettingsUpdated\ndata: {}\n\n')
  return { streams, key: settings.webhooks.signing_key, recovery: `Bearer ${settings.gateway.private_token}` }
}

test('a phone registers, sends, receives, is reset and removed by HTTPS', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const plainPort = await freePort()
  const gateway = await startHttpsGateway(t, { plainPort })
  const account = await gateway.account('front@example.com')
  const { codeFor, send, find, deviceOf } = cloudRig(() => gateway as TestGateway)
  const base = `${gateway.httpsUrl}/api/mobile/v1`
  const ca = gateway.authority()
  const code = await codeFor(account)

  const distrustful = new CloudApp(base, { ca: selfSigned('127.0.0.1').cert })
  await assert.rejects(distrustful.register(`Code ${code}`), /self.signed|issuer|verify/)
  const app = new CloudApp(base, { ca })
  const registered = await app.register(`Code ${code}`)
  assert.deepEqual([registered.status, registered.json.login], [201, 'Front desk'])
  assert.equal((await new CloudApp(base, { ca }).register(`Code ${code}`)).status, 401)

  const { streams, key, recovery } = await startUp(app, gateway.httpsUrl)

  await t.test('a text goes out and is reported out of order', async () => {
    const id = await send(account)
    for (const stream of streams) await stream.until('event: MessageEnqueued\ndata: {}\n\n')
    const [item] = await app.pull()
    assert.equal(item?.['id'], id)
    const doubled = await app.call<{ id: string }[]>('GET', '//message?order=fifo')
    assert.equal(doubled.json[0]?.id, id, 'a message stays listed until it is reported')
    await app.report(id, 'Pending', { states: STATES })
    assert.deepEqual(await app.pull(), [])
    for (const state of ['Sent', 'Processed'])
      assert.equal((await app.report(id, state, { states: STATES })).status, 204)
    assert.equal((await find(account, id))?.['status'], 'sent')
    await app.report(id, 'Delivered', { states: { ...STATES, Delivered: 'not-a-date' } })
    assert.equal((await app.report('unknown', 'Sent')).status, 204)
    assert.equal((await find(account, id))?.['status'], 'delivered')
  })

  await t.test('one text fails, and a cancelled one is never listed', async () => {
    const failing = await send(account)
    await app.pull()
    await app.report(failing, 'Failed', { error: 'Send result: RESULT_ERROR_NULL_PDU (No PDU provided)' })
    assert.equal((await find(account, failing))?.['status'], 'failed')
    const cancelled = await send(account)
    const path = `/api/v1/sms/${cancelled}`
    assert.equal((await gateway.call('DELETE', path, { key: account.liveKey })).status, 200)
    assert.deepEqual(await app.pull(), [])
  })

  await t.test('a received text is stored once, however often the phone reports it', async () => {
    for (const id of ['event-1', 'event-1', 'event-2'])
      assert.equal((await app.postEvent(key, 'sms:received', { id, payload: RECEIVED })).status, 200)
    const { json } = await gateway.call('GET', '/api/v1/received', { key: account.liveKey })
    assert.deepEqual(
      json?.data.map(one => one['message']),
      ["It's 5 > 3"],
    )
  })

  await t.test('the phone registers again as the same device, but not after it was removed', async () => {
    const [before, deviceId] = [app.token, app.deviceId]
    assert.equal((await app.register(recovery)).status, 201)
    assert.equal(app.deviceId, deviceId)
    const old = await app.call('PATCH', '/device', { authorization: `Bearer ${before}`, json: {} })
    assert.equal(old.status, 401)
    assert.equal((await deviceOf(account, app))?.['name'], 'Front desk')
    await gateway.ask('device.remove', { accountId: account.accountId, deviceId })
    assert.equal((await app.call('PATCH', '/device', { json: {} })).status, 401)
    assert.equal((await app.register(recovery)).status, 401)
  })
  for (const stream of streams) stream.close()
})
