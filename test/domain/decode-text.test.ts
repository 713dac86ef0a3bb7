import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charsetOf, decodeFields, decodePercent, decodeText, startOf } from '#domain/decode-text.ts'

const READ: Readonly<Record<string, readonly [hex: string, charset: string, text: string]>> = {
  'UTF-8': ['53 74 c3 b6 72 75 6e 67', '', 'Störung'],
  'UTF-8 that its sender calls Latin-1': ['53 74 c3 b6 72 75 6e 67', 'iso-8859-1', 'Störung'],
  'a byte of Latin-1 that no charset is declared for': ['53 74 f6 72 75 6e 67', '', 'Störung'],
  'a byte of Latin-1 that its sender calls UTF-8': ['53 74 f6 72 75 6e 67', 'utf-8', 'Störung'],
  'a byte of windows-1252': ['35 20 80', '', '5 €'],
  'a declared charset of one byte': ['cf f0 e8', 'windows-1251', 'При'],
  'a declared charset that is not known': ['53 74 f6 72', 'x-old', 'Stör'],
  'a declared GB charset': ['b4 c5 c5 cc b9 ca d5 cf', 'gb2312', '磁盘故障'],
  'a declared ISO-2022, all ASCII': ['1b 24 42 46 7c 1b 28 42', 'iso-2022-jp', '日'],
  'a mark of UTF-8, which is dropped': ['ef bb bf 41', 'iso-8859-1', 'A'],
  'a mark of UTF-16, little end first': ['ff fe 53 00 f6 00', '', 'Sö'],
  'a mark of UTF-16, big end first': ['fe ff 00 53 00 f6', 'utf-8', 'Sö'],
  'a mark of UTF-32': ['ff fe 00 00 41 00 00 00 00 f6 01 00', '', 'A😀'],
  'UTF-16 without a mark, big end first': ['00 53 00 f6', 'utf-16', 'Sö'],
  'UTF-16 without a mark, as .NET writes it': ['53 00 f6 00', 'utf-16', 'Sö'],
  nothing: ['', 'utf-8', ''],
}
for (const [what, [hex, charset, text]] of Object.entries(READ)) {
  test(`${what} is read`, () => {
    assert.equal(decodeText(Buffer.from(hex.replaceAll(' ', ''), 'hex'), charset), text)
  })
}

test('each value of a form is read by itself', () => {
  assert.deepEqual(decodeFields('a=St%F6rung&b=%C3%B6+x&c&d=1=2&&%F6=100%'), [
    ['a', 'Störung'],
    ['b', 'ö x'],
    ['c', ''],
    ['d', '1=2'],
    ['ö', '100%'],
  ])
  assert.deepEqual(decodeFields(''), [])
})

test('a % without two hexadecimal digits stays', () => {
  assert.equal(decodePercent('%zz %4 100% %41'), '%zz %4 100% A')
})

test('the charset of a Content-Type is found', () => {
  assert.equal(charsetOf('text/plain; charset="ISO-8859-1"'), 'ISO-8859-1')
  assert.equal(charsetOf('text/plain'), '')
  assert.equal(charsetOf(null), '')
})

test('the start of UTF-8 ends between two characters, and that of any other text where it was cut', () => {
  const bytes = new TextEncoder().encode('aö😀b')
  const starts = [0, 1, 2, 3, 4, 6, 7, 8, 9].map(count => decodeText(startOf(bytes, count)))
  assert.deepEqual(starts, ['', 'a', 'a', 'aö', 'aö', 'aö', 'aö😀', 'aö😀b', 'aö😀b'])
  assert.equal(decodeText(startOf(Buffer.from('Störung', 'latin1'), 5)), 'Störu')
})
