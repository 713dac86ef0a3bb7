import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSON_DEPTH_MAX } from '#contracts/bounds.ts'
import { Problem } from '#domain/problem.ts'
import { parseJson } from '#transport/http/body.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`

test('JSON is read to the deepest allowed level, and refused if it is deeper', () => {
  assert.deepEqual(parse(nested(JSON_DEPTH_MAX)), JSON.parse(nested(JSON_DEPTH_MAX)))
  for (const text of [nested(JSON_DEPTH_MAX + 2), `[${nested(JSON_DEPTH_MAX)}]`, '['.repeat(100_000)])
    assert.throws(
      () => parse(text),
      (error: unknown) =>
        error instanceof Problem &&
        JSON.stringify(error.toData()).includes(`nested deeper than ${JSON_DEPTH_MAX}`),
    )
})

test('brackets side by side and in strings do not count as levels', () => {
  const many = JSON_DEPTH_MAX * 3
  const side = Array.from({ length: many }, () => ({ list: ['{[\\"{['] }))
  assert.deepEqual(parse(JSON.stringify(side)), side)
  assert.equal(parse(JSON.stringify('{['.repeat(many))), '{['.repeat(many))
})
