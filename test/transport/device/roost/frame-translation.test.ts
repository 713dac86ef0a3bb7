import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameOf, newsOf } from '#transport/device/roost/frame-translation.ts'

const ATTEMPT = { messageId: 'msg_1', attempt: 2 }

test('frames of a phone are translated to the shared news', () => {
  const about = {
    appVersion: '1.2',
    platform: 'test',
    sims: [],
    driver: 'log',
    trouble: null,
    receiveTrouble: undefined,
  }
  assert.deepEqual(newsOf({ type: 'hello', protocol: 1, bootId: 'boot', ...about }), {
    type: 'opened',
    ...about,
  })
  const entry = { ...ATTEMPT, state: 'accepted', code: null } as const
  assert.deepEqual(newsOf({ type: 'sync', messages: [entry], more: true }), {
    type: 'journal',
    entries: [entry],
    more: true,
  })
  assert.deepEqual(newsOf({ type: 'report', ...entry, detail: 'odd', at: 5 }), {
    type: 'report',
    ...entry,
    detail: 'odd',
  })
  assert.deepEqual(
    newsOf({ type: 'received', id: '7', from: '+1', message: 'hi', at: null, simSlot: null }),
    {
      type: 'received',
      id: '7',
      from: '+1',
      text: 'hi',
      sentAt: null,
      simSlot: null,
    },
  )
})

test('an order becomes a frame, or none if the protocol has no such frame', () => {
  const more = { phoneNumber: '+14155550123', segments: 1, simSlot: null, ttlMs: 5, kind: 'sms' } as const
  assert.deepEqual(frameOf({ type: 'offer', message: { ...ATTEMPT, ...more, text: 'hi' } }), {
    type: 'offer',
    ...ATTEMPT,
    ...more,
    message: 'hi',
  })
  assert.deepEqual(frameOf({ type: 'welcome', session: 'ses_1', at: 0, pingEverySeconds: 15 }), {
    type: 'welcome',
    session: 'ses_1',
    serverTime: '1970-01-01T00:00:00.000Z',
    pingEverySeconds: 15,
  })
  assert.deepEqual(frameOf({ type: 'ack-received', id: '7' }), { type: 'ack', id: '7' })
  assert.deepEqual(frameOf({ type: 'go', ...ATTEMPT }), { type: 'go', ...ATTEMPT })
  const call = { ringId: 'r1', phoneNumber: '+14155550123', seconds: 25 }
  assert.deepEqual(frameOf({ type: 'ring', ...call }), { type: 'ring', ...call })
  assert.equal(frameOf({ type: 'wake' }), null)
})
