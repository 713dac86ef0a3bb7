import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '#domain/message/message.ts'
import type { Tx } from '#domain/tx.ts'
import { openMessageStore } from '#storage/message-writer.ts'
import { CodeWorld } from '#test/kit/code-world.ts'

/** A message without an empty field, so that none can be lost unnoticed. */
const FULL: { readonly [Name in keyof Message]-?: NonNullable<Message[Name]> } = {
  id: 'msg_1',
  accountId: 'acc_1',
  test: true,
  kind: '2fa',
  phoneNumber: '+14155550123',
  country: 'US',
  text: 'hello',
  segments: 2,
  encoding: 'UCS-2',
  priority: 'high',
  simSlot: 3,
  pinned: true,
  deviceGroupId: 'dgr_1',
  createdAt: 4,
  sendAt: 5,
  expiresAt: 6,
  notificationUrl: 'https://example.com/',
  webhookId: 'whk_1',
  guess: true,
  despiteOptOut: true,
  status: 'failed',
  deviceId: 'dev_1',
  attempt: 7,
  notBefore: 8,
  sentAt: 9,
  deliveredAt: 10,
  failure: { code: 'NO_SERVICE', message: 'no network' },
  timeline: [{ status: 'queued', at: 4 }],
}

test('the row of a message keeps each of its fields', () => {
  const world = new CodeWorld()
  const store = openMessageStore(world.database)
  const tx = {} as Tx
  store.insert(tx, FULL)
  store.save(tx, FULL)
  assert.deepEqual(store.find(tx, FULL.id), FULL)
})

test('a message whose place is taken after a correction of the clock gets the next free one', () => {
  const world = new CodeWorld()
  for (const ms of [-3_600_000, 7_200_000, -3_600_000]) {
    world.wallMs += ms
    world.issue()
  }
  assert.equal(world.column('SELECT count(DISTINCT serial) FROM message WHERE serial > 0'), 3)
})
