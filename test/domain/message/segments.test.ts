import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SegmentedMessage } from 'sms-segments-calculator'
import { segmentsOf } from '#domain/message/segments.ts'
import { sized } from '#test/kit/test-size.ts'

const CASES: readonly (readonly [
  what: string,
  text: string,
  encoding: 'GSM-7' | 'UCS-2',
  segments: number,
])[] = [
  ['an empty text is one message', '', 'GSM-7', 1],
  ['160 septets fit into one message', 'a'.repeat(160), 'GSM-7', 1],
  ['161 septets need two', 'a'.repeat(161), 'GSM-7', 2],
  ['two parts hold 306 septets', 'a'.repeat(306), 'GSM-7', 2],
  ['307 septets need three', 'a'.repeat(307), 'GSM-7', 3],
  ['the longest message of GSM characters has eleven parts', 'a'.repeat(1600), 'GSM-7', 11],
  ['a euro sign counts two septets', `${'a'.repeat(158)}€`, 'GSM-7', 1],
  ['a euro sign does not fit into one septet', `${'a'.repeat(159)}€`, 'GSM-7', 2],
  ['80 characters of the extension table fill a message', '['.repeat(80), 'GSM-7', 1],
  ['76 of them fill a part, since none is split', '['.repeat(152), 'GSM-7', 2],
  ['an unused septet at the end of a part makes a third part', '['.repeat(153), 'GSM-7', 3],
  ['an escape at the end of a part moves to the next', `${'a'.repeat(152)}€${'a'.repeat(151)}`, 'GSM-7', 2],
  ['the moved character may need a further part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3],
  ['line feed, carriage return and form feed are GSM characters', '\r\n\f', 'GSM-7', 1],
  ['capital C with cedilla is a GSM character', 'Ç', 'GSM-7', 1],
  ['small c with cedilla is no GSM character', 'ç', 'UCS-2', 1],
  ['a back-tick is no GSM character', '`', 'UCS-2', 1],
  ['a tab is no GSM character', '\t', 'UCS-2', 1],
  ['the escape itself is no GSM character', '\x1b', 'UCS-2', 1],
  ['a no-break space is no GSM character', '\u00a0', 'UCS-2', 1],
  ['a typographic quote is no GSM character', '’', 'UCS-2', 1],
  ['70 units fit into one message', 'ж'.repeat(70), 'UCS-2', 1],
  ['71 units need two', 'ж'.repeat(71), 'UCS-2', 2],
  ['two parts hold 134 units', 'ж'.repeat(134), 'UCS-2', 2],
  ['135 units need three', 'ж'.repeat(135), 'UCS-2', 3],
  ['one foreign character makes all of the text UCS-2', `${'a'.repeat(70)}ж`, 'UCS-2', 2],
  ['in UCS-2 a euro sign is one unit', `${'€'.repeat(69)}ж`, 'UCS-2', 1],
  ['an emoji is two units', '😀'.repeat(35), 'UCS-2', 1],
  ['33 emoji fill a part, since no pair is split', '😀'.repeat(66), 'UCS-2', 2],
  ['an unused unit at the end of a part makes a third part', '😀'.repeat(67), 'UCS-2', 3],
  ['a lone surrogate is one unit', '\ud83d'.repeat(134), 'UCS-2', 2],
]

for (const [what, text, encoding, segments] of CASES) {
  test(what, () => assert.deepEqual(segmentsOf(text), { encoding, segments }))
}

test('every UTF-16 code unit has the same alphabet as in the reference package', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const text = String.fromCharCode(unit)
    if (segmentsOf(text).encoding !== new SegmentedMessage(text).encodingName)
      assert.fail(`U+${unit.toString(16)}`)
  }
})

/** Each is always its own grapheme cluster, so the reference package and Roost must agree. */
const CHARACTERS = [...'aZ09 @£$¥èÇØøÅåΔ_ΦΩßÉ¤ÄÖÑÜ§¿äöñüà\n\r', ...'^{}\\[~]|€\f']
const FOREIGN = ['ж', '漢', '“', '…', 'ç', '😀', '🚨', '𝒳', '\u00a0', '`']

function oracle(text: string) {
  const message = new SegmentedMessage(text)
  return { encoding: message.encodingName, segments: message.segmentsCount }
}

/** Texts of runs of one character, which hit the segment borders far more often than mixed text. */
function texts(characters: readonly string[]) {
  const run = fc.tuple(fc.constantFrom(...characters), fc.oneof(fc.nat(3), fc.nat(170)))
  return fc.array(run, { maxLength: 8 }).map(runs => runs.map(([one, times]) => one.repeat(times)).join(''))
}

test('texts in GSM characters are counted as by the reference package', () => {
  fc.assert(
    fc.property(texts(CHARACTERS), text => assert.deepEqual(segmentsOf(text), oracle(text))),
    { numRuns: sized(50, 300) },
  )
})

test('texts with other characters are counted as by the reference package', () => {
  fc.assert(
    fc.property(texts(['a', 'é', '€', ...FOREIGN]), text => assert.deepEqual(segmentsOf(text), oracle(text))),
    { numRuns: sized(50, 300) },
  )
})

test('a grapheme of several characters may be split, unlike in the reference package', () => {
  const family = '👨‍👩‍👧‍👦'
  const text = `${'ж'.repeat(62)}${family}${'ж'.repeat(61)}`
  assert.equal(text.length, 134)
  assert.deepEqual(segmentsOf(text), { encoding: 'UCS-2', segments: 2 })
  assert.deepEqual(oracle(text), { encoding: 'UCS-2', segments: 3 })
})
