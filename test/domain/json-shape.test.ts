import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSON_DEPTH_MAX } from '#contracts/bounds.ts'
import { faultOfShape, JSON_VALUES_MAX } from '#domain/json-shape.ts'

const list = (entries: number) => `[${Array(entries).fill('{}').join(',')}]`

test('JSON with too many values or levels is refused before it is parsed', () => {
  // Each `{}` counts twice: its bracket and its comma.
  assert.equal(faultOfShape(list(JSON_VALUES_MAX / 2)), null)
  assert.equal(faultOfShape(list(JSON_VALUES_MAX / 2 + 1)), `has more than ${JSON_VALUES_MAX} values`)
  const keys = Array.from({ length: JSON_VALUES_MAX + 1 }, (_, at) => `"k${at}":0`)
  assert.equal(faultOfShape(`{${keys.join(',')}}`), `has more than ${JSON_VALUES_MAX} values`)
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  assert.equal(faultOfShape(deep(JSON_DEPTH_MAX)), null)
  assert.equal(faultOfShape(deep(JSON_DEPTH_MAX + 1)), `is nested deeper than ${JSON_DEPTH_MAX} levels`)
})

test('brackets and commas in texts do not count', () => {
  const text = JSON.stringify({ message: '[{,"\\'.repeat(JSON_VALUES_MAX) })
  assert.equal(faultOfShape(text), null)
})
