import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDelivery } from '#domain/notification/describe-notification.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'

test('a delivery tells what its body is about', () => {
  const about = (body: string) =>
    describeDelivery({ subjectId: '', createdAt: 0, log: [] as Delivery['log'], body } as unknown as Delivery)
      .about
  const of = (data: object) => about(JSON.stringify({ event: 'some', data }))
  assert.equal(of({ messageId: 'msg_1', phoneNumber: '+14155550123', status: 'sent' }), '+14155550123')
  assert.equal(of({ from: 'Bank', message: 'Your code is 123456' }), 'Bank')
  assert.equal(of({ deviceId: 'dev_1', name: 'Kitchen', status: 'online' }), 'Kitchen')
  assert.equal(of({ id: 'inc_1', text: 'DOWN nas' }), 'DOWN nas')
  assert.equal(of({ code: 'DISK_FULL', subject: null, message: 'The disk is full' }), 'The disk is full')
  assert.equal(of({}), null)
  assert.equal(about('a text that a forward passes on'), null)
})

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
