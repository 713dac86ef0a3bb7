import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import type { IncidentResource } from '#contracts/incident.ts'
import { NOTIFICATION_EVENTS, NotificationEvent } from '#contracts/notification-event.ts'
import { type EventFacts, eventBody } from '#domain/notification/event-body.ts'
import { notificationHeaders } from '#domain/notification/notification-headers.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const messageId = 'msg_01JGFJJZ0ZABCDEFGHJKMNPQRS'
const deviceId = 'dev_01JGFJJZ0ZABCDEFGHJKMNPQRS'
const phoneNumber = '+15550100001'
const lastSeen = '2026-01-02T03:04:00.000Z'
const failure = { code: 'EXPIRED', message: 'the time to live is over' }

const ALARM = {
  code: 'BATTERY_LOW',
  severity: 'warning',
  subject: 'dev_01KG9TMX5C8N1V7K3E6P2D0YSA',
  message: 'The battery of Küche is at 18 %',
  since: '2026-01-31T12:00:00.000Z',
} as const
const INCIDENT: IncidentResource = {
  id: 'inc_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  webhookId: 'whk_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  policyId: 'pol_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  ...{ state: 'open', number: 2, text: 'DOWN nas', key: 'thing:nas', severity: null, alerts: 1 },
  ...{ openedAt: lastSeen, takenBy: null, takenAt: null, takenUntil: null, closedAt: null, closedBy: null },
  next: { at: lastSeen, tell: ['per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'], ring: false },
  timeline: [{ at: lastSeen, event: 'opened', personId: null, messageId: null, detail: null }],
}
const FACTS: readonly EventFacts[] = [
  { event: 'sms.sent', at, data: { messageId, phoneNumber, status: 'sent' } },
  { event: 'sms.delivered', at, data: { messageId, phoneNumber, status: 'delivered' } },
  { event: 'sms.failed', at, data: { messageId, phoneNumber, status: 'failed', failure } },
  {
    event: 'sms.received',
    at,
    data: {
      ...{ messageId, from: 'ACME', message: 'Grüße 👋', receivedAt: lastSeen, sentAt: null },
      ...{ deviceId, simSlot: 1 },
    },
  },
  { event: 'sms.opted_out', at, data: { phoneNumber, since: lastSeen, by: 'text' } },
  { event: 'device.online', at, data: { deviceId, name: 'Küche', status: 'online', lastSeen } },
  { event: 'device.offline', at, data: { deviceId, name: 'Küche', status: 'offline', lastSeen: null } },
  { event: 'system.alarm', at, data: ALARM },
  { event: 'system.recovered', at, data: ALARM },
  { event: 'incident.opened', at, data: INCIDENT },
  { event: 'incident.taken', at, data: INCIDENT },
  { event: 'incident.escalated', at, data: INCIDENT },
  { event: 'incident.unanswered', at, data: INCIDENT },
  { event: 'incident.closed', at, data: INCIDENT },
]

test('the JSON of an event has event, timestamp and data, in this order', () => {
  const [sent] = FACTS
  assert.ok(sent)
  assert.equal(
    eventBody(sent),
    `{"event":"sms.sent","timestamp":"2026-01-02T03:04:05.006Z","data":{"messageId":"${messageId}",` +
      `"phoneNumber":"${phoneNumber}","status":"sent"}}`,
  )
})

test('every event contains exactly the given facts', () => {
  for (const facts of FACTS) {
    const body = JSON.parse(eventBody(facts))
    assert.deepEqual(body, { event: facts.event, timestamp: '2026-01-02T03:04:05.006Z', data: facts.data })
    assert.deepEqual(v.parse(NotificationEvent, body), body)
  }
  assert.deepEqual(new Set(FACTS.map(facts => facts.event)), new Set(NOTIFICATION_EVENTS))
})

test('events of a sandbox key have `test` in their data, others do not', () => {
  for (const facts of FACTS) {
    assert.equal(JSON.parse(eventBody({ ...facts, test: true })).data.test, true)
    assert.ok(!('test' in JSON.parse(eventBody({ ...facts, test: false })).data))
  }
})

test('other fields of a row are not sent', () => {
  for (const facts of FACTS) {
    const row = structuredClone(facts)
    Object.assign(row.data, { token: 'secret' })
    if ('failure' in row.data) Object.assign(row.data.failure, { detail: 'secret' })
    assert.ok(!eventBody(row).includes('secret'), facts.event)
  }
})

test('the headers of an attempt carry its id, number and both signatures', () => {
  const headers = notificationHeaders({
    id: 'ntf_1',
    attempt: 3,
    timestampS: 1_767_323_045,
    signature: 'sha256=ab',
    standardSignature: 'v1,cd',
  })
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'x-webhook-signature': 'sha256=ab',
    'x-webhook-id': 'ntf_1',
    'x-webhook-attempt': '3',
    'webhook-id': 'ntf_1',
    'webhook-timestamp': '1767323045',
    'webhook-signature': 'v1,cd',
  })
})
