import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverAll } from '#test/kit/plant-secrets.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const NUMBER = '+14155550123'
const COUNTS = ['accepted', 'delivered', 'sent', 'failed', 'received', 'twoFactor', 'alerts'] as const

test('days of usage count the outcomes of messages, without the sandbox', async () => {
  const gateway = await sharedGateway()
  const { accountId, liveKey, testKey, token } = await gateway.newAccount()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
  const json = { code, name: 'one', platform: 'android', appVersion: '1' }
  const paired = await gateway.call('POST', '/device/v1/pair', { json })
  const phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
  const send = async (key: string, path = '/api/v1/sms/send', more: object = { message: 'x' }) => {
    const { status } = await gateway.call('POST', path, { key, json: { phoneNumber: NUMBER, ...more } })
    assert.equal(status, 200)
  }
  const end = async (state: string, reason: string | null) => {
    const { messageId, attempt } = await phone.next('offer')
    phone.sendFrame({ type: 'begin', messageId, attempt })
    await phone.next('go')
    phone.sendFrame({ type: 'report', messageId, attempt, state, code: reason, at: null })
    await phone.next('ack')
  }

  await send(liveKey)
  await deliverAll(phone, 1)
  await send(liveKey, '/api/v1/sms/2fa', {})
  await deliverAll(phone, 1)
  await send(liveKey)
  await end('sent', null)
  await send(liveKey)
  await end('failed', 'INVALID_NUMBER')
  const webhook = { name: 'Mon', recipients: [NUMBER] }
  const made = await gateway.call('POST', '/api/v1/webhooks', { token, json: webhook })
  const alert = await gateway.call('POST', String(made.json?.data['url']), { json: { message: 'x' } })
  assert.equal(alert.status, 200)
  await deliverAll(phone, 1)
  phone.sendFrame({ type: 'received', id: 'r1', from: NUMBER, message: 'x', at: null, simSlot: null })
  await phone.next('ack')
  await send(testKey)

  const answer = await gateway.call('GET', '/api/v1/usage/days?days=2', { token })
  const days = answer.json?.data as unknown as readonly Record<string, unknown>[]
  assert.equal(days.length, 2)
  // The sum of two days, because midnight may have passed.
  const sums = COUNTS.map(count => days.reduce((sum, day) => sum + Number(day[count]), 0))
  assert.deepEqual(Object.fromEntries(COUNTS.map((count, index) => [count, sums[index]])), {
    accepted: 5,
    delivered: 3,
    sent: 1,
    failed: 1,
    received: 1,
    twoFactor: 1,
    alerts: 1,
  })
  for (const day of days) {
    const { p50, p95 } = day['deliveryMs'] as { p50: number | null; p95: number | null }
    if (day['delivered'] === 0) assert.deepEqual([p50, p95], [null, null])
    else assert.ok(p50 !== null && p95 !== null && p50 > 0 && p95 >= p50, `${p50} ${p95}`)
  }
})

test('days are those of a time zone, which must have a name', async () => {
  const gateway = await sharedGateway()
  const { liveKey, token } = await gateway.newAccount()
  const json = { phoneNumber: NUMBER, message: 'x', queueIfOffline: true }
  await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
  const read = (query: string) =>
    gateway.call('GET', `/api/v1/usage/days?days=2&timeZone=${query}`, { token })
  const before = Date.now()
  const days = (await read('Pacific/Auckland')).json?.data ?? []
  const dates = [before, Date.now()].map(at =>
    new Date(at).toLocaleDateString('sv', { timeZone: 'Pacific/Auckland' }),
  )
  assert.ok(dates.includes(String(days.at(-1)?.['day'])), `${days.at(-1)?.['day']} is not of ${dates}`)
  assert.equal(Number(days[0]?.['accepted']) + Number(days[1]?.['accepted']), 1)
  const { status, json: refusal } = await read('%2B02:00')
  assert.equal(status, 400)
  assert.deepEqual(refusal?.error.details?.issues, [
    { path: 'timeZone', message: 'must be a time zone like Europe/Berlin' },
  ])
})
