import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSections, type Section } from '#console/find-sections.ts'

const SECTIONS: readonly Section[] = [
  ['phones', 'Phones', 'A phone sends texts. Its battery may be low.'],
  ['battery', 'The battery', `${'x '.repeat(100)}battery and phone ${'y '.repeat(100)}`],
  ['other', 'Other', 'Nothing of that.'],
]

test('a search finds the sections with all words, those with a word in the title first', () => {
  assert.deepEqual(
    findSections(SECTIONS, ' BATTERY  phone').map(({ slug }) => slug),
    ['phones', 'battery'],
  )
  assert.deepEqual(
    findSections(SECTIONS, 'the battery').map(({ slug }) => slug),
    ['battery'],
  )
  assert.deepEqual(findSections(SECTIONS, '  '), [])
  assert.deepEqual(findSections(SECTIONS, 'battery modem'), [])
})

test('an excerpt shows the text around the first word', () => {
  const [, long] = findSections(SECTIONS, 'battery phone')
  assert.match(long?.excerpt ?? '', /^…[x ]+battery and phone [y ]+…$/)
  const [short] = findSections(SECTIONS, 'battery phone')
  assert.equal(short?.excerpt, 'A phone sends texts. Its battery may be low.')
})
