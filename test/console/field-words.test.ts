import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_LABELS } from '#console/field-labels.ts'
import { fieldWords, labelFields } from '#console/field-words.ts'

test('a refusal names a field as the form calls it, not as the API does', () => {
  labelFields(FIELD_LABELS)
  assert.equal(fieldWords('maxPerHour'), 'Alerts per hour, at most')
  assert.equal(fieldWords('recipients.0'), 'Who gets the texts')
  assert.equal(fieldWords('somethingNew.1'), 'somethingNew.1')
})
