/**
 * An alarm from beginning to end, over a phone with SMSGate's local server, which sends and receives, and a
 * phone that rings: nobody answers, the second person is told and rung, takes it by a text, and it is over.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { MessageResource } from '#contracts/message.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { MovedClock } from '#test/kit/moved-clock.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const SECONDS_20 = 20_000
const MINUTE = 60_000
const ADA = '+14155550201'
const BOB = '+14155550202'

test('an alarm reaches the second person, rings, is taken by a text, and ends', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const { clock, gateway, smsgate, accountId, token, call, watch, deviceId, ringer, socketUrl } =
    await twoPhones(t)
  const { id: ada } = await call('POST', 'people', { name: 'Ada', phoneNumber: ADA })
  const { id: bob } = await call('POST', 'people', { name: 'Bob', phoneNumber: BOB })
  const steps = [
    { afterMinutes: 0, tell: [ada] },
    { afterMinutes: 5, tell: [bob], ring: true },
  ]
  const { id: policyId } = await call('POST', 'policies', { name: 'House', steps })
  const webhooks = new WebhookCalls(gateway, token)
  const { id, url } = await webhooks.create({ name: 'Kuma', recipients: [], policyId, deviceId })
  const report = (status: 0 | 1, msg: string) =>
    webhooks.trigger(url, { monitor: { name: 'NAS' }, heartbeat: { status, msg } })
  /** The texts that phones have sent, the two newest in order of their numbers. */
  const told = async (count: number) => {
    const read = async () => (await call('GET', `sms?webhookId=${id}`)) as unknown as MessageResource[]
    const all = await watch.until(
      read,
      found => found.filter(({ sentAt }) => sentAt !== null).length >= count,
    )
    assert.equal(all.length, count)
    return all
      .slice(0, 2)
      .map(({ phoneNumber, message }) => `${phoneNumber} ${message}`)
      .toSorted()
  }

  const answer = await report(0, 'timeout')
  const incidentId = String(answer.json?.data['incidentId'])
  assert.deepEqual(await told(1), [`${ADA} DOWN NAS: timeout\nReply 2: I take it`])
  // A phone that is silent for longer counts as offline.
  for (let ms = SECONDS_20; ms < 5 * MINUTE; ms += SECONDS_20) {
    await clock.advance(SECONDS_20)
    await ringer.connect(socketUrl, { calls: true })
  }
  const rings = ringer.nextFrame('ring')
  await clock.advance(SECONDS_20)
  await gateway.ask('device.list', { accountId })
  const ring = await rings
  assert.deepEqual([ring.phoneNumber, ring.seconds], [BOB, 25])
  assert.equal((await told(2))[1], `${BOB} DOWN NAS: timeout\nReply 2: I take it`)

  const hangsUp = ringer.nextFrame('stop-ring')
  const createdAt = new Date().toISOString()
  smsgate.inbox.push({ id: 'r1', sender: BOB, contentPreview: '2', createdAt })
  assert.deepEqual(await told(4), [`${ADA} Bob has it: DOWN NAS: timeout`, `${BOB} Yours: DOWN NAS: timeout`])
  assert.equal((await hangsUp).ringId, ring.ringId)
  assert.equal((await call('GET', `incidents/${incidentId}`))['takenBy'], bob)

  await report(1, '200 - OK')
  assert.deepEqual(await told(6), [`${ADA} UP NAS: 200 - OK`, `${BOB} UP NAS: 200 - OK`])
  const closed = await call('GET', `incidents/${incidentId}`)
  assert.deepEqual([closed['state'], closed['closedBy']], ['closed', 'sender'])
})

/** A gateway with a phone with SMSGate, which sends and receives, and a phone that rings. */
async function twoPhones(t: TestContext) {
  const clock = new MovedClock()
  t.after(() => clock.close())
  const config = { http: { listeners: 1 }, devices: { allowed_hosts: ['127.0.0.1'] } }
  const gateway = await startGateway({ config, entries: clock.entries })
  t.after(() => gateway.stop())
  const smsgate = await SmsgatePhone.start()
  t.after(() => smsgate.stop())
  const { accountId, token } = await gateway.owner()
  const call = async (method: string, path: string, json?: object) => {
    const answer = await gateway.call(method, `/api/v1/${path}`, { token, ...(json && { json }) })
    assert.equal(answer.status, 200, answer.text)
    return answer.json?.data as Record<string, unknown>
  }
  const watch = await watchGateway(gateway, token)
  t.after(() => watch.close())
  const { url: phoneUrl, password } = smsgate
  const { deviceId } = await call('POST', 'devices', { kind: 'smsgate', url: phoneUrl, password })
  const canReceive = () => call('GET', `devices/${deviceId}`)
  await watch.until(canReceive, one => one['status'] === 'online' && one['receives'] === true)
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'ringer' })
  const paired = await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  const ringer = new FakePhone({ ...paired, socketUrl: '' })
  t.after(() => ringer.drop())
  const socketUrl = `${gateway.url.replace('http', 'ws')}/device/v1/socket`
  await ringer.connect(socketUrl, { calls: true })
  return { clock, gateway, smsgate, accountId, token, call, watch, deviceId, ringer, socketUrl }
}
