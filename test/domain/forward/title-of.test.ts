import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timesPassed, titleOf, wholeText } from '#domain/forward/forward.ts'

test('a forward names the time of a text that came more than five minutes late or early', () => {
  const receivedAt = '2026-01-31T12:00:00.000Z'
  const titleFor = (sentAt: string | null, from: string | null = 'Bank') =>
    titleOf({ id: 'evt_1', from, text: '', receivedAt, sentAt })
  assert.equal(titleFor(null), 'Text from Bank')
  assert.equal(titleFor('2026-01-31T11:55:00.000Z'), 'Text from Bank')
  assert.equal(titleFor('2026-01-31T11:54:59.000Z'), 'Text from Bank, sent 2026-01-31 11:54 UTC')
  assert.equal(titleFor('2026-01-31T19:00:00.000Z'), 'Text from Bank, sent 2026-01-31 19:00 UTC')
  assert.equal(titleFor(null, null), 'Text from an unknown sender')
})

test('a text shows how often it was passed on, also by a webhook in one line', () => {
  const pass = (text: string, from: string) =>
    wholeText({ id: 'evt_1', from, text, receivedAt: '2026-01-31T12:00:00.000Z' }, 1600)
  assert.equal(timesPassed('The pump, see Text from Ada: x'), 0)
  assert.equal(timesPassed(pass('The pump', 'Bank: Ada')), 1)
  assert.equal(timesPassed(pass(pass('The pump', 'Ada'), '+14155550299')), 2)
  assert.equal(timesPassed('Text from Ada: Text from Bob: Text from Eve: The pump'), 3)
})
