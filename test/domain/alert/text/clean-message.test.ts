import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanMessage } from '#domain/alert/text/clean-message.ts'

test('emoji, markup and costly signs go, words and lines stay', () => {
  assert.equal(cleanMessage('[nas] [✅ Up] **200** – OK\nsince “now”'), '[nas] [Up] 200 - OK\nsince "now"')
})

test('a text that nothing would be left of is sent as it came', () => {
  assert.equal(cleanMessage('🔥🔥'), '🔥🔥')
})

test('a text that would be dearer or too long is sent as it came', () => {
  for (const text of ['…'.repeat(70), `${'ü'.repeat(1500)}${'…'.repeat(100)}`])
    assert.equal(cleanMessage(text), text)
})
