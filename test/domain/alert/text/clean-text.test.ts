import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { cutText, isShort, joinedLine } from '#domain/alert/text/cut-text.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'

function table(
  name: string,
  run: (text: string) => string,
  rows: readonly (readonly [string, string])[],
): void {
  suite(name, () => {
    for (const [from, to] of rows) test(JSON.stringify(from), () => assert.equal(run(from), to))
  })
}

table('signs outside GSM-7 fold where a reader would not mind', foldText, [
  ['“smart” ‘quotes’ «too»', '"smart" \'quotes\' "too"'],
  ['a – b — c − d', 'a - b - c - d'],
  ['80 → 90 ⇒ 95 ← 3', '80 -> 90 -> 95 <- 3'],
  ['wait…', 'wait...'],
  ['31\u00a0°C ±2 ≥ 30', '31 C +/-2 >= 30'],
  ['a\u200bb\u00adc\ufeffd\u202ee', 'abcde'],
  ['5 µs × 3²', '5 us x 32'],
  ['• one', '- one'],
  ['Température élevée, Łódź, 東京, Привет', 'Température élevée, Łódź, 東京, Привет'],
  ['plain ASCII ~ | {} [] € £', 'plain ASCII ~ | {} [] € £'],
])

table('markup, emoji and noise go, words stay', cleanLine, [
  ['**bold** and *it* and `code` and ~~old~~', 'bold and it and code and old'],
  ['disk_space_usage and __init__ of _this_', 'disk_space_usage and init of this'],
  ['* * * * * cron', '* * * * * cron'],
  ['# Title\n\nText', 'Title. Text'],
  ['> quoted', 'quoted'],
  ['[label](https://a.example/x) ok', 'label ok'],
  ['![alt](https://a.example/x.png) ok', 'alt ok'],
  ['<https://a.example|the site> is slow', 'the site is slow'],
  ['<b>Disk</b> &amp; RAM<br>Full &#38; &lt;90%', 'Disk & RAM. Full & <90%'],
  ['<style>p{color:red}</style><p>Hi</p>', 'Hi'],
  ['x <nas01> y < 5 and z > 3', 'x <nas01> y < 5 and z > 3'],
  ['🔴 Down', 'Down'],
  ['👩‍🚒 fire 🇮🇹 1️⃣ done ✅', 'fire 1 done'],
  [':warning: disk :x:', 'disk'],
  ['at 10:30:45 ::1', 'at 10:30:45 ::1'],
  ['Disk full\n\nhttps://nas.example/x', 'Disk full'],
  ['Disk full\nMore info: https://nas.example/x', 'Disk full'],
  ['https://nas.example/x', 'https://nas.example/x'],
  ['see https://a.example/?utm_source=mail&x=1 now', 'see https://a.example/ now'],
  [`see https://a.example/${'x'.repeat(80)}.`, 'see https://a.example.'],
  ['a\n---\nb\n=====\nc', 'a b c'],
  ['Line one.\nLine two', 'Line one. Line two'],
  ['Same\nSame\nsame!', 'Same'],
  ['- first\n- Second', 'first. Second'],
  ['Status:\nfailed', 'Status: failed'],
  ['| Host | Used |\n|:--|--:|\n| NAS | 96% |', 'Host Used. NAS 96%'],
  ['\u0000a\u0007b\u001b[31m', 'ab[31m'],
  ['\r\n\ta\r\n', 'a'],
  ['', ''],
])

test('repeated lines are kept once', () => {
  assert.deepEqual(linesOf('Nas is down 🔴\n\nnas is DOWN!\n\nSince 10:30'), ['Nas is down', 'Since 10:30'])
})

suite('a text is cut', () => {
  test('never inside a surrogate pair', () => {
    assert.equal(cutText(`${'a'.repeat(479)}😀`), 'a'.repeat(479))
    assert.equal(cutText(`${'a'.repeat(478)}😀b`), `${'a'.repeat(478)}😀`)
  })
  test('never inside a grapheme', () => {
    assert.equal(cutText(`${'a'.repeat(478)}👩‍👩‍👧‍👦`), 'a'.repeat(478))
    assert.equal(cutText(`${'a'.repeat(479)}e\u0301`), 'a'.repeat(479))
    assert.equal(cutText(`${'a'.repeat(479)}🇮🇹`), 'a'.repeat(479))
  })
  test('between two characters of a grapheme that is longer than a text', () => {
    assert.equal(cutText(`a${'\u0301'.repeat(1000)}`).length, 480)
    assert.equal(cutText(`a${'\u{e0100}'.repeat(1000)}`).length, 479)
  })
  test('not when it fits', () => assert.equal(cutText('a'.repeat(480)), 'a'.repeat(480)))
})

test('control characters become spaces and unpaired surrogates a replacement', () => {
  assert.equal(joinedLine(' a\r\nb\u0085c\u2028d\ud83d '), 'a b c d\ufffd')
})

test('a text is short if it fits into one segment of GSM-7 or two of UCS-2', () => {
  assert.equal(isShort('a'.repeat(160)), true)
  assert.equal(isShort('a'.repeat(161)), false)
  assert.equal(isShort('{'.repeat(80)), true)
  assert.equal(isShort('{'.repeat(81)), false)
  assert.equal(isShort('д'.repeat(134)), true)
  assert.equal(isShort('д'.repeat(135)), false)
})
