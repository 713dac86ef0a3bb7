/** The half-hours of a phone over real HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { PhoneHalfHour } from '#contracts/device-history.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'

const HalfHours = v.array(v.strictObject(PhoneHalfHour.entries))
const HALF_HOUR_MS = 1_800_000

test('a phone has half-hours of up to 30 days, for its account alone', async t => {
  const gateway = await startFilledGateway(t, { messages: 1, phones: 2, deliveries: 0 })
  const { liveKey: key } = await gateway.owner()
  const stranger = await gateway.account('other@example.com')
  const devices = await gateway.call('GET', '/api/v1/devices', { key })
  const path = `/api/v1/devices/${devices.json?.data[0]?.['deviceId']}/history`
  const read = async (query: string) => {
    const answer = await gateway.call('GET', `${path}${query}`, { key })
    assert.equal(answer.status, 200, answer.text)
    return v.parse(HalfHours, answer.json?.data)
  }
  const month = await read('?days=30')
  assert.ok(month.length > 48)
  for (const [index, { at }] of month.entries()) {
    assert.equal(Date.parse(at) % HALF_HOUR_MS, 0)
    assert.ok(index === 0 || at > (month[index - 1]?.at ?? ''))
  }
  const day = await read('')
  assert.deepEqual(day, await read('?days=1'))
  assert.deepEqual(day, month.slice(-day.length))
  assert.ok(Date.now() - Date.parse(day[0]?.at ?? '') < 49 * HALF_HOUR_MS)

  for (const query of ['?days=0', '?days=31', '?days=x']) {
    const { status, text } = await gateway.call('GET', `${path}${query}`, { key })
    assert.equal(status, 400)
    assert.match(text, /days/)
  }
  assert.equal((await gateway.call('GET', path)).status, 401)
  assert.equal((await gateway.call('GET', path, { key: stranger.liveKey })).status, 404)
  assert.equal((await gateway.call('GET', '/api/v1/devices/dev_none/history', { key })).status, 404)
})
