import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSections, type Section } from '#console/find-sections.ts'
import { wordsOf } from '#console/search-words.ts'

const SECTIONS: readonly Section[] = [
  ['phones', 'Phones', 'A phone sends texts. Its battery may be low.', 'device'],
  ['battery', 'The battery', `${'x '.repeat(100)}battery and phone ${'y '.repeat(100)}`, ''],
  ['ringing', 'Ringing', 'A step rings.', 'voice call, wake me up'],
  ['other', 'Other', 'Nothing of that: see sendAt.', ''],
]
const slugsFor = (query: string) => findSections(SECTIONS, query).map(({ slug }) => slug)

test('a search finds the pages with most of the words, those with a word in their title first', () => {
  assert.deepEqual(slugsFor(' BATTERY  phone'), ['phones', 'battery'])
  assert.deepEqual(slugsFor('the battery'), ['battery', 'phones'])
  assert.deepEqual(slugsFor('phones battery modem lte zigbee'), [])
  assert.deepEqual(slugsFor('  '), [])
})

test('a search knows endings, words of the same meaning, other names of a page, and half a word', () => {
  assert.deepEqual(slugsFor('voice calls'), ['ringing'])
  assert.deepEqual(slugsFor('waking'), ['ringing'])
  assert.deepEqual(slugsFor('smartphone'), ['phones', 'battery'])
  assert.equal(slugsFor('sendAt')[0], 'other')
  assert.deepEqual(slugsFor('batt'), ['battery', 'phones'])
})

test('words lose the endings that English hangs on', () => {
  assert.deepEqual(wordsOf('texts refused policies running boxes status e-mail Wi-Fi'), [
    ...['text', 'refus', 'policy', 'run', 'box', 'status', 'mail', 'wifi'],
  ])
})

test('an excerpt shows the text around the first word', () => {
  const [short, long] = findSections(SECTIONS, 'battery phone')
  assert.match(long?.excerpt ?? '', /^…[x ]+battery and phone [y ]+…$/)
  assert.equal(short?.excerpt, 'A phone sends texts. Its battery may be low.')
})
