import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsAll, readSearch } from '#domain/message/search.ts'

const TEXT = 'DOWN Küche: Temperatur 42 °C'
const NUMBER = '+33612345678'

for (const [typed, country, isFound] of [
  ['kuche down', '', true],
  ['KÜCHE', '', true],
  ['temperatur 41', '', false],
  ['42 °c', '', true],
  ['0612345678', 'FR', true],
  ['06 12 34 56 78', 'FR', true],
  ['06 12 34', 'FR', true],
  ['0612345678', '', true],
  ['0033612345678', '', true],
  ['+33 6 12-34', '', true],
  ['5678', '', true],
  ['5679', '', false],
  ['+612345', '', false],
  ['kuche 0612345678', 'FR', true],
  ['79 kuche', '', false],
  ['a b c d e f g h i', '', false],
] as const)
  test(`"${typed}"${country && ` in ${country}`} ${isFound ? 'finds' : 'does not find'} the text`, () => {
    assert.equal(containsAll(readSearch(typed, country), TEXT, NUMBER), isFound)
  })

test('a search that is only spaces finds texts with spaces', () => {
  assert.equal(containsAll(readSearch(' ', ''), 'a b', NUMBER), true)
  assert.equal(containsAll(readSearch(' ', ''), 'ab', NUMBER), false)
})

test('more words than are read one by one are a phrase', () => {
  const text = 'a b c d e f g h i'
  assert.equal(containsAll(readSearch('g f e d c b a h i', ''), text, NUMBER), true)
  assert.equal(containsAll(readSearch('g f e d c b a i h', ''), text, NUMBER), false)
})

const PEOPLE = ['Ada Lovelace', 'Adam', 'Charlotte von Hohenstein', 'José Núñez-García'].map(
  (name, index) => ({ name, phoneNumber: `+4917600000${index}` }),
)

/** The people to whom a text would be found. */
function found(typed: string, text = 'Disk full') {
  const search = readSearch(typed, '', PEOPLE)
  return PEOPLE.filter(({ phoneNumber }) => containsAll(search, text, phoneNumber)).map(({ name }) => name)
}

test('the beginning of a name finds the texts to these people, together with other words', () => {
  assert.deepEqual(found('Ada'), ['Ada Lovelace', 'Adam'])
  assert.deepEqual(found(' LOVE  ada '), ['Ada Lovelace'])
  assert.deepEqual(found('Lovelace, Ada'), ['Ada Lovelace'])
  assert.deepEqual(found('nunez-garc'), ['José Núñez-García'])
  assert.deepEqual(found('von'), ['Charlotte von Hohenstein'])
  assert.deepEqual(found('ada disk'), ['Ada Lovelace', 'Adam'])
  assert.deepEqual(found('lace'), [], 'a beginning, no other part')
  assert.deepEqual(found('ada pump'), [], 'all words')
  assert.equal(found('ada', 'Ask Ada').length, PEOPLE.length, 'the word itself')
  for (const typed of ['z', '!?', '. ,']) assert.deepEqual(found(typed), [], typed)
})

test('a search has a bounded number of people, and those whom most of its words name', () => {
  const people = Array.from({ length: 60 }, (_, nth) => ({
    name: nth === 59 ? 'Ada Lovelace' : `Adalbert ${nth}`,
    phoneNumber: `+4917600000${100 + nth}`,
  }))
  for (const typed of ['ad', 'ad Ad AD ad ad ad ad ad', 'ad ada adal adalb adalbe adalber adalbert']) {
    const { words } = readSearch(typed, '', people)
    const numbers = words.flatMap(word => word.numbers)
    assert.ok(numbers.length > 0 && numbers.length <= 20, `${typed}: ${numbers.length}`)
    assert.equal(new Set(words.map(({ text }) => text)).size, words.length, typed)
  }
  const search = readSearch('ada lovelace', '', people)
  assert.ok(containsAll(search, 'Disk full', '+4917600000159'))
})
