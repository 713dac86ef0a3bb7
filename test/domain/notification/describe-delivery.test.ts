import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDelivery } from '#domain/notification/describe-notification.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'

test('a delivery names the message of its event, and nothing else as a message', () => {
  const named = (subjectId: string) =>
    describeDelivery({ subjectId, createdAt: 0, log: [] as Delivery['log'] } as Delivery).messageId
  assert.deepEqual(['msg_1', 'rcv_1', 'dev_1', 'inc_1', 'alarm BATTERY_LOW dev_1'].map(named), [
    'msg_1',
    'rcv_1',
    null,
    null,
    null,
  ])
})
