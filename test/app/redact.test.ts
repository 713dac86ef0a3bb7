import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskNumber } from '#app/redact.ts'

test('a masked number shows its beginning and end', () => {
  assert.equal(maskNumber('+14155550123'), '+1415•••0123')
  assert.equal(maskNumber('+491701234567'), '+4917•••4567')
})

test('at least three digits of every number are hidden, if it has that many', () => {
  for (let length = 3; length <= 15; length++) {
    const shown = maskNumber(`+${'1'.repeat(length)}`).replace(/\D/g, '').length
    assert.ok(length - shown >= 3 && shown <= 8, `${length} digits, ${shown} shown`)
  }
  assert.equal(maskNumber('+1'), '+•••')
})
