import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncompleteTexts } from '#agent/drivers/modem/inbox.ts'

test('an incomplete text has the age of its path', () => {
  const texts = new IncompleteTexts()
  texts.note('one', ['a'], 100)
  texts.note('one', ['a', 'b'], 200)
  texts.note('one', ['b', 'c'], 300)
  assert.deepEqual(texts.olderThan(199), [])
  assert.deepEqual(texts.olderThan(200), ['b'])
  assert.deepEqual([texts.hasFrom(201, 299), texts.hasFrom(300, 300)], [false, true])
})

test('after the memory was read again, the ages stay, in the same order', () => {
  const texts = new IncompleteTexts()
  texts.note('one', ['8', '9'], 100)
  texts.note('two', ['8', '10', '11'], 200)
  assert.deepEqual(texts.olderThan(100), ['8', '10'])
})

test('of fewer texts than before, none counts as older than it may be', () => {
  const texts = new IncompleteTexts()
  texts.note('one', ['a'], 100)
  texts.note('one', ['a', 'b'], 200)
  texts.note('two', ['c'], 300)
  assert.deepEqual(texts.olderThan(199), [])
  texts.note('three', [], 400)
  texts.note('four', ['a'], 500)
  assert.deepEqual(texts.olderThan(499), [])
})
