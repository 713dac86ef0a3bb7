/** What the console counts agrees with what it lists, on the past that its pictures and its tests show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { textFigures } from '#console/day-figures.ts'
import { DayUsage } from '#contracts/day-usage.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'

const CONTENT = { messages: 90, phones: 2, deliveries: 0 }

test('the numbers of days, phones and webhooks are those of their texts', async t => {
  const gateway = await startFilledGateway(t, CONTENT)
  const { liveKey: key, token } = await gateway.owner()
  const read = async (path: string) => {
    const { json, text } = await gateway.call('GET', `/api/v1/${path}`, { token })
    assert.ok(json !== undefined, text)
    return json.data as unknown as Record<string, unknown>[]
  }
  const message = { phoneNumber: '+14155550123', message: 'Hello', queueIfOffline: true }
  await gateway.call('POST', '/api/v1/sms/send', { key, json: message })

  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const days = v.parse(v.array(DayUsage), await read(`usage/days?${new URLSearchParams({ timeZone })}`))
  for (const day of days) {
    const [asked = 0, ...parts] = textFigures(day).map(([, count]) => count)
    assert.equal(
      parts.reduce((sum, one) => sum + one, 0),
      asked,
      day.day,
    )
  }
  assert.ok(days.flatMap(textFigures).some(([word, count]) => word === 'on the way' && count === 1))
  const sum = (of: (day: DayUsage) => number) => days.reduce((all, day) => all + of(day), 0)
  const texts = await read('sms?limit=100')
  assert.equal(
    sum(({ accepted }) => accepted),
    texts.length,
  )
  for (const status of ['delivered', 'sent', 'failed'] as const)
    assert.equal(
      sum(day => day[status]),
      texts.filter(one => one['status'] === status).length,
      status,
    )
  const [hook] = await read('webhooks')
  const usage = hook?.['usage'] as Record<string, unknown>
  assert.equal(
    sum(({ alerts }) => alerts),
    usage['total'],
  )
  const month = new Date().toISOString().slice(0, 7)
  for (const { deviceId, smsThisMonth } of await read('devices')) {
    const own = texts.filter(one => one['deviceId'] === deviceId && one['sentAt'] !== null)
    assert.equal(own.filter(one => String(one['createdAt']).startsWith(month)).length, smsThisMonth)
  }
})
