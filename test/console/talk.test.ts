import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byDayOfTalk, mergeTalk, type SeenTexts, withSeen } from '#console/talk.ts'
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

test('a conversation has the days of the reader, and one time below texts that follow each other', () => {
  const sent = { status: 'sent' } as MessageResource
  const at = (hour: number, minute: number) => new Date(2026, 10, 24, hour, minute).toISOString()
  const one = (key: string, at: string, by: MessageResource | null) => ({ key, at, text: 'hello', sent: by })
  const talk = [
    one('late', new Date(2026, 10, 23, 23, 59).toISOString(), null),
    one('early', at(0, 1), null),
    one('run', at(0, 3), null),
    one('answer', at(0, 4), sent),
    one('failed', at(0, 5), { status: 'failed' } as MessageResource),
    one('hours later', at(9, 0), { status: 'failed' } as MessageResource),
  ]
  const days = byDayOfTalk(talk, new Date(2026, 10, 24, 12).getTime())
  assert.deepEqual(
    days.map(({ day, texts }) => [day, texts.map(({ key, isLast }) => (isLast ? key : `${key}…`))]),
    [
      ['Yesterday', ['late']],
      ['Today', ['early…', 'run', 'answer', 'failed', 'hours later']],
    ],
  )
})

test('what was seen is kept for the senders who wrote last, and nothing old becomes new', () => {
  let seen: SeenTexts = { since: at(0), bySender: {} }
  for (let i = 0; i < 310; i++) seen = withSeen(seen, `+${i}`, new Date(Date.parse(at(1)) + i).toISOString())
  assert.equal(Object.keys(seen.bySender).length, 300)
  assert.equal(seen.bySender['+9'], undefined)
  assert.equal(seen.since, new Date(Date.parse(at(1)) + 9).toISOString())
  assert.equal(withSeen(seen, '+309', at(30)).bySender['+309'], at(30))
})
