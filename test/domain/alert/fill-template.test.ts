import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import type { Json } from '#domain/alert/read/json-value.ts'

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
    assert.equal(fillTemplate(template, payload), text)
  })
}

test('a payload that is an array is reached by index', () => {
  assert.equal(fillTemplate('{{0.a}} {{[1].a}}', [{ a: 'x' }, { a: 'y' }]), 'x')
})
