import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import type { Json } from '#domain/alert/read/json-value.ts'

const NONE: ReadonlyMap<string, string> = new Map()

const payload: Json = {
  status: 'firing',
  count: 7,
  zero: 0,
  off: false,
  nothing: null,
  empty: '',
  lines: 'a\r\nb\tc\u0000d',
  braces: '{{status}}',
  dollar: "$& $1 $'",
  alerts: [{ labels: { name: 'DiskFull', 'with space': 'x' } }, { labels: { name: 'HighLoad' } }],
  deep: [[['x']]],
}

const table: readonly (readonly [template: string, text: string])[] = [
  ['no placeholder', 'no placeholder'],
  ['{{status}}', 'firing'],
  ['{{ status }}', 'firing'],
  ['{{status}}{{status}}', 'firingfiring'],
  ['{{alerts.0.labels.name}}', 'DiskFull'],
  ['{{alerts[0].labels.name}}', 'DiskFull'],
  ['{{alerts[1].labels.name}} {{alerts.1.labels.name}}', 'HighLoad HighLoad'],
  ['{{alerts.0.labels.with space}}', 'x'],
  ['{{deep[0][0][0]}}{{deep.0.0.0}}', 'xx'],
  ['{{count}} {{zero}} {{off}}', '7 0 false'],
  ['[{{nothing}}{{missing}}{{empty}}]', '[]'],
  ['[{{alerts.2.labels.name}}{{alerts.-1}}{{alerts.x}}{{alerts.length}}]', '[]'],
  ['[{{status.length}}{{status.0}}{{count.toFixed}}]', '[]'],
  ['[{{toString}}{{constructor}}{{__proto__}}{{alerts.map}}]', '[]'],
  ['{{alerts.0.labels}}', '{"name":"DiskFull","with space":"x"}'],
  ['{{deep}}', '[[["x"]]]'],
  ['{{lines}}', 'a b c d'],
  ['{{braces}}', '{{status}}'],
  ['{{dollar}}', "$& $1 $'"],
  ['{{}}|{{ }}|{status}|{{status}|{{status', '||{status}|{{status}|{{status'],
  ['{{#if status}}{{status | upper}}{{1+1}}{{status}}', 'firing'],
  ['a\nb', 'a b'],
  ['  {{status}}  ', 'firing'],
]

for (const [template, text] of table) {
  test(`${JSON.stringify(template)} gives ${JSON.stringify(text)}`, () => {
    assert.equal(fillTemplate(template, payload, NONE), text)
  })
}

test('items of an array payload are reached by index', () => {
  assert.equal(fillTemplate('{{0.a}} {{[1].a}}', [{ a: 'x' }, { a: 'y' }], NONE), 'x')
})

test('a path is looked up once, even if a template writes it in several ways', () => {
  let reads = 0
  const list: Json = {
    get a() {
      reads += 1
      return 'x'
    },
  }
  const spellings = [0, 1, 2, 3, 4, 5].map(count => `{{${' '.repeat(count)}0.b[0]${' '.repeat(count)}}}`)
  assert.equal(fillTemplate(`${spellings.join('')}{{0.b.0}}`, [{ b: [list] }], NONE), '{"a":"x"}'.repeat(7))
  assert.equal(reads, 1)
})

test('only the first part of a long value is cleaned', t => {
  const lengths: number[] = []
  const { toWellFormed } = String.prototype
  t.mock.method(String.prototype, 'toWellFormed', function (this: string) {
    lengths.push(this.length)
    return toWellFormed.call(this)
  })
  const long = `\n${'word '.repeat(50_000)}`
  assert.equal(fillTemplate('{{a}}', { a: long }, NONE).slice(0, 20), 'word word word word ')
  assert.ok(Math.max(...lengths) <= ALERT_VALUE_LENGTH_MAX, String(Math.max(...lengths)))
})
