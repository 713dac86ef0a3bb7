import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'

const PICTURE = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 89) % 251)).toString('base64')
const lines = (end: string) => PICTURE.replace(/.{76}/g, line => `${line}${end}`)

const dropped: readonly (readonly [what: string, text: string, left: string])[] = [
  ['in a field', `{"a":"${PICTURE}","b":"x"}`, '{"a":"","b":"x"}'],
  ['at the end', `text ${PICTURE}`, 'text '],
  ['that is all', PICTURE, ''],
  ['of URLs', `a ${PICTURE.replaceAll('+', '-').replaceAll('/', '_')} b`, 'a  b'],
  ['as PHP escapes it', `{"a":"${PICTURE.replaceAll('/', '\\/')}"}`, '{"a":""}'],
  ['as a form escapes it', `a=${encodeURIComponent(PICTURE)}&b=x`, 'a=&b=x'],
  ['in lines of a mail', `a\n\n${lines('\r\n')}\n\nb`, 'a\n\n\n\nb'],
  ['in short lines', `{"a":"${PICTURE.replace(/.{59}/g, '$&\\n')}"}`, '{"a":""}'],
  ['in lines that JSON escapes', `{"a":"${lines('\\r\\n')}"}`, '{"a":""}'],
  ['of a data URI', `<img src="data:image/png;charset=x;base64,${PICTURE}">`, '<img src="">'],
  ['of a small data URI', `${' '.repeat(300)}(data:image/gif;base64,R0lGODdh)`, `${' '.repeat(300)}()`],
  ['with its padding', `[${PICTURE}AA==]`, '[]'],
  ['twice', `{"a":"${PICTURE}","b":"x","c":"${PICTURE}"}`, '{"a":"","b":"x","c":""}'],
]
for (const [what, text, left] of dropped)
  test(`base64 ${what} is left out`, () => assert.equal(dropBase64(text), left))

const kept = [
  `[${'12,34,'.repeat(100)}5]`,
  'a=%20%2G%3A%'.repeat(50),
  'a'.repeat(1000),
  'X'.repeat(1000),
  'a'.repeat(255),
  `${'a'.repeat(64)} ${'b'.repeat(64)} ${'c'.repeat(64)} ${'d'.repeat(64)} ${'e'.repeat(64)}`,
  `https://example.com/${'path/'.repeat(40)}?x=${'y'.repeat(100)}&z=1`,
  `${'Disk is full on nas. '.repeat(100)}`,
  `${'one\n'.repeat(200)}`,
  `base64,${'short '.repeat(60)}`,
]
for (const text of kept)
  test(`text that is not base64 stays: ${text.slice(0, 24)}…`, () => assert.equal(dropBase64(text), text))

test('a text of words is searched for base64 in steps of a line, with any escapes between them', () => {
  const line = 'Ab1/'.repeat(19)
  assert.equal(
    dropBase64(`${'one two '.repeat(50)}${line}\\n${line}\\n${line}\\n${line} end`),
    `${'one two '.repeat(50)} end`,
  )
  assert.equal(dropBase64(`a=%2B%3D&${'\\'.repeat(300)}`), `a=%2B%3D&${'\\'.repeat(300)}`)
})
