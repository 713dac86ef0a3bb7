import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeTalk, type SeenTexts, withSeen } from '#console/talk.ts'
import type { ReceivedResource } from '#contracts/inbox.ts'
import type { MessageResource } from '#contracts/message.ts'

const at = (minute: number) => `2026-11-24T10:${String(minute).padStart(2, '0')}:00.000Z`
const heard = (minute: number) =>
  ({ id: `in ${minute}`, receivedAt: at(minute), message: 'in' }) as ReceivedResource
const said = (minute: number) =>
  ({ messageId: `out ${minute}`, createdAt: at(minute), message: 'out' }) as MessageResource

test('a conversation is in order, and has no gap where a list has older pages', () => {
  const keys = (hasMoreIn: boolean, hasMoreOut: boolean) =>
    mergeTalk(
      { rows: [heard(50), heard(30)], hasMore: hasMoreIn },
      { rows: [said(40), said(10)], hasMore: hasMoreOut },
    ).map(({ key }) => key)
  assert.deepEqual(keys(false, false), ['out 10', 'in 30', 'out 40', 'in 50'])
  assert.deepEqual(keys(true, false), ['in 30', 'out 40', 'in 50'])
  assert.deepEqual(keys(false, true), ['out 10', 'in 30', 'out 40', 'in 50'])
  assert.deepEqual(keys(true, true), ['in 30', 'out 40', 'in 50'])
})

test('what was seen is kept for the senders who wrote last, and nothing old becomes new', () => {
  let seen: SeenTexts = { since: at(0), bySender: {} }
  for (let i = 0; i < 310; i++) seen = withSeen(seen, `+${i}`, new Date(Date.parse(at(1)) + i).toISOString())
  assert.equal(Object.keys(seen.bySender).length, 300)
  assert.equal(seen.bySender['+9'], undefined)
  assert.equal(seen.since, new Date(Date.parse(at(1)) + 9).toISOString())
  assert.equal(withSeen(seen, '+309', at(30)).bySender['+309'], at(30))
})
