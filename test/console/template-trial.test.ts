import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trialWords } from '#console/template-trial.ts'

test('words that say nothing about real alerts are named', () => {
  assert.equal(trialWords(['DOWN nas']), null)
  assert.equal(trialWords([]), null)
  assert.match(trialWords([':', ':', ' : ']) ?? '', /would read “:” for 3 of the last 3 alerts:/)
  assert.match(trialWords(['DOWN', ': -']) ?? '', /“: -” for 1 of the last 2 alerts:/)
})
