import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from '#domain/forward/forward.ts'

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
