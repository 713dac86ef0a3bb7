import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'

test('a noted field is validated by the function of its schema, so that a note costs no time', () => {
  for (const schema of [Instant, v.nullish(v.string(), 'none'), v.object({ at: Instant })]) {
    const copy = noted(schema, 'A note.')
    assert.equal(copy['~run'], schema['~run'])
    assert.equal(v.getDescription(copy), 'A note.')
    assert.equal(v.getDescription(schema), undefined)
  }
  const request = v.object({ name: noted(v.nullish(v.string(), 'none'), 'A note.') })
  assert.deepEqual(v.parse(request, {}), { name: 'none' })
  assert.equal(v.is(request, { name: 1 }), false)
})
