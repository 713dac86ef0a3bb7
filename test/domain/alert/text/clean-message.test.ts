import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanMessage } from '#domain/alert/text/clean-message.ts'

test('emoji, markup and costly characters are removed, words and lines stay', () => {
  assert.equal(cleanMessage('[nas] [✅ Up] **200** – OK\nsince “now”'), '[nas] [Up] 200 - OK\nsince "now"')
})

test('a text that would become empty is sent unchanged', () => {
  assert.equal(cleanMessage('🔥🔥'), '🔥🔥')
})

test('a text that would become longer or cost more is sent unchanged', () => {
  for (const text of ['…'.repeat(70), `${'ü'.repeat(1500)}${'…'.repeat(100)}`])
    assert.equal(cleanMessage(text), text)
})
