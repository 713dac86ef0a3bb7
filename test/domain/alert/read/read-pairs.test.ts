import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readPairs } from '#domain/alert/read/read-pairs.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

suite('a line of name=value pairs is read as fields', () => {
  const rows: readonly (readonly [line: string, fields: object | null])[] = [
    [
      'level=error msg="disk \\"a\\" full" host=nas n=1',
      { level: 'error', msg: 'disk "a" full', host: 'nas', n: '1' },
    ],
    ['<189>a=1 b=2, c= d="x y"', { a: '1', b: '2', c: '', d: 'x y' }],
    ['load is a=1 b=2 c=3 d=4', null],
    ['a=1 b=2 c=3', null],
    ['a=1 b=2 c=3 d=4 and more', null],
    ['a="1 b=2 c=3 d=4', null],
    ['https://a.lan/?a=1&b=2 c=3 d=4 e=5', null],
  ]
  for (const [line, fields] of rows)
    test(line, () => {
      const read = readPairs(line)
      assert.deepEqual(read === null ? null : { ...read }, fields)
    })
})

test('a log line gives the same text as plain text, in a field, and as the body that curl -d sends', () => {
  const line = 'time=2026-11-03T10:00:00Z level=error msg="cannot renew" service=proxy err="rate limit"'
  const form = 'application/x-www-form-urlencoded'
  const texts = [
    triggerRequest({ body: line, contentType: 'text/plain' }),
    triggerRequest({ body: line, contentType: form }),
    triggerRequest({ body: { text: line } }),
  ].map(request => renderAlert(request, null))
  for (const { message, state } of texts)
    assert.deepEqual([message, state], ['ERROR proxy: cannot renew (rate limit)', 'firing'])
  assert.equal(
    renderAlert(triggerRequest({ body: line }), '{{service}}: {{err}}').message,
    'proxy: rate limit',
  )
})

test('pairs without a text of a log stay as they are', () => {
  assert.equal(
    renderAlert(triggerRequest({ body: 'cpu=1 mem=2 disk=3 net=4' }), null).message,
    'cpu=1 mem=2 disk=3 net=4',
  )
})
