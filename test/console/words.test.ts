import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { LANGUAGES } from '#contracts/words.ts'
import { readAll, sentencesOf, unwrappedOf } from '#test/kit/sentences.ts'

const FOLDER = 'src/contracts/languages'
const sources = readAll('.').filter(({ path }) => /^src\/(console|domain)\//.test(path))
const used = sources.flatMap(sentencesOf)

const rest = readAll('.').filter(({ path }) => !path.startsWith('src/console/'))

const anyQuote = (text: string) => text.replace(/["'`]/g, "'")
/** The sources with literals in one piece, whose values are `{}`. */
const literals = rest.map(({ text }) =>
  anyQuote(text)
    .replace(/' \+\s*\n\s*'/g, '')
    .replace(/\$\{[^{}]*\}/g, '{}'),
)

/** Whether the gateway answers with this sentence, which the console then looks up. */
function isOfApi(english: string): boolean {
  const written = anyQuote(english).replace(/\{\d\}/g, '{}')
  return literals.some(text => text.includes(`'${written}'`))
}

describe('the words of the console and of texts', () => {
  test('are wrapped, so that they can be said in another language', () => {
    const console = sources.filter(({ path }) => path.startsWith('src/console/'))
    assert.deepEqual(console.flatMap(unwrappedOf), [])
    assert.deepEqual(
      used.filter(({ english }) => english === null),
      [],
      'write the sentence out, with its values in braces',
    )
  })

  test('there is a file for each language', () => {
    const tags = Object.keys(LANGUAGES).filter(tag => tag !== 'en')
    assert.deepEqual(
      readdirSync(FOLDER),
      tags.map(tag => `${tag}.json`),
    )
  })

  for (const file of readdirSync(FOLDER)) {
    const words: Record<string, string> = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))
    const keys = Object.keys(words)

    test(`${file} has every sentence, in the order of the English ones, and no other`, () => {
      const wanted = [...new Set(used.map(({ english }) => english))].sort()
      const missing = wanted.filter(english => english !== null && words[english] === undefined)
      assert.deepEqual(missing, [], `translate these in ${FOLDER}/${file}`)
      const unused = keys.filter(english => !wanted.includes(english) && !isOfApi(english))
      assert.deepEqual(unused, [], `remove these from ${FOLDER}/${file}`)
      assert.deepEqual(keys, [...keys].sort(), 'sort the sentences, so that merges stay easy')
    })

    test(`${file} has the same values and elements as the English sentences`, () => {
      const partsOf = (text: string) => [...new Set(text.match(/\{\w+\}|<\d+\/?>/g) ?? [])].sort()
      const different = keys.filter(
        english => JSON.stringify(partsOf(english)) !== JSON.stringify(partsOf(words[english] ?? '')),
      )
      assert.deepEqual(different, [])
    })
  }
})
