import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable, printableJson, printableLine } from '#contracts/printable.ts'

const FAMILY = '\u{1f468}\u200d\u{1f469}'

test('control and format characters are escaped; emoji, tabs and line feeds stay', () => {
  assert.equal(
    printable(`a\u001b[2J\u009b\u202e\r\n\t${FAMILY}`),
    `a\\u{1b}[2J\\u{9b}\\u{202e}\\u{d}\n\t${FAMILY}`,
  )
  assert.equal(printableLine('a\nb'), 'a\\nb')
})

test('JSON is read back as it was, and holds no such character', () => {
  const value = { text: `\u001b\u007f\u009b\u202e\u2028\u{e0001}\ud800${FAMILY}"\\` }
  const json = printableJson(value)
  assert.deepEqual(JSON.parse(json), value)
  assert.match(json, /\\u001b\\u007f\\u009b\\u202e\\u2028\\udb40\\udc01\\ud800/)
})
