import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, linePath } from '#console/phone-past.ts'
import { lastArrival, SCRIPTS, sendersOf, wirePath } from '#console/picture.ts'
import { CELLS, cellsOf, stripWords } from '#console/strip-cells.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

const AT = '2026-01-31T12:00:00.000Z'
const hook = (id: string, lastTriggeredAt: string | null) =>
  ({ id, name: id, usage: { lastTriggeredAt } }) as WebhookResource

test('the picture shows the senders that were heard last, and counts the others', () => {
  const hooks = [hook('old', null), hook('a', '2026-01-01'), hook('b', '2026-01-03'), hook('c', '2026-01-02')]
  const texts = [
    { webhookId: 'b', message: 'DOWN nas', createdAt: AT },
    { webhookId: null, message: 'Hello', createdAt: AT },
    { webhookId: 'b', message: 'UP nas', createdAt: AT },
  ]
  const { senders, others } = sendersOf(hooks, texts)
  assert.deepEqual(
    senders.map(({ id, lastText }) => [id, lastText]),
    [
      ['b', 'DOWN nas'],
      ['c', null],
      ['a', null],
      [SCRIPTS, 'Hello'],
    ],
  )
  assert.equal(others, 1)
  assert.equal(sendersOf([], []).senders[0]?.lastAt, null)
})

test('the last arrival counts from the time at which the text was to leave', () => {
  const text = { createdAt: AT, sendAt: null, deliveredAt: '2026-01-31T12:00:05.000Z', pretend: false }
  const later = { ...text, sendAt: '2026-01-31T13:00:00.000Z', deliveredAt: '2026-01-31T13:00:02.000Z' }
  const none = { ...text, deliveredAt: null }
  assert.equal(lastArrival([none, text] as MessageResource[])?.tookMs, 5_000)
  assert.deepEqual(lastArrival([text, later] as MessageResource[]), { at: later.deliveredAt, tookMs: 2_000 })
  assert.equal(lastArrival([none, { ...text, pretend: true }] as MessageResource[]), null)
})

test('a wire leads from the right edge of a node to the left edge of the next', () => {
  assert.equal(
    wirePath({ left: 0, right: 100, middle: 20 }, { left: 200, right: 300, middle: 80 }),
    'M100 20C150 20 150 80 200 80',
  )
})

test('a strip has the 48 half-hours before now, with failures and absences', () => {
  const now = Date.parse('2026-01-31T12:10:00.000Z')
  const row = { battery: null, charging: null, signal: null, offlineMinutes: 0, sent: 3, failed: 0 }
  const rows = [
    { ...row, at: '2026-01-30T11:30:00.000Z', failed: 9 },
    { ...row, at: '2026-01-30T12:00:00.000Z' },
    { ...row, at: '2026-01-31T11:00:00.000Z', failed: 1, offlineMinutes: 20 },
    { ...row, at: '2026-01-31T11:30:00.000Z', offlineMinutes: 10 },
  ]
  const cells = cellsOf(rows, now)
  assert.equal(cells.length, CELLS)
  assert.deepEqual([cells[0], cells[1], cells.at(-2), cells.at(-1)], ['good', 'off', 'bad', 'wait'])
  assert.equal(stripWords(rows, now), 'Last 24 hours: 9 sent, 1 failed, offline for 23 h')
})

test('a line of values breaks where a phone was away, and a day has its lowest values', () => {
  const row = { charging: null, offlineMinutes: 0, sent: 2, failed: 0 }
  const rows = [
    { ...row, at: '2026-01-31T10:00:00.000Z', battery: 50, signal: null },
    { ...row, at: '2026-01-31T10:30:00.000Z', battery: 100, signal: -90 },
    { ...row, at: '2026-01-31T11:30:00.000Z', battery: 0, signal: -100, failed: 1 },
  ]
  const span = { from: Date.parse('2026-01-31T10:30:00Z'), until: Date.parse('2026-01-31T12:30:00Z') }
  assert.equal(
    linePath(rows, ({ battery }) => battery, { ...span, low: 0, high: 100 }),
    'M0 50L250 0M750 100',
  )
  assert.deepEqual(daysOf(rows, Date.parse('2026-01-31T12:10:00Z')), [
    { day: 'Today', sent: 6, failed: 1, battery: 0, signal: -100 },
  ])
})
