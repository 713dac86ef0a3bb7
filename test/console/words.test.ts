import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { LANGUAGES } from '#contracts/words.ts'
import { readConsoleAndTexts, sentencesOf, unwrappedOf } from '#test/kit/sentences.ts'

const FOLDER = 'src/contracts/languages'
/** Files whose sentences are not translated yet. */
const NOT_YET: readonly string[] = [
  'src/console/app.tsx',
  'src/console/pages/devices.tsx',
  'src/console/pages/home.tsx',
  'src/console/pages/settings.tsx',
]

const sources = readConsoleAndTexts('.')
const used = sources.flatMap(sentencesOf)

describe('the words of the console and of texts', () => {
  test('are wrapped, so that they can be said in another language', () => {
    const console = sources.filter(({ path }) => path.startsWith('src/console/') && !NOT_YET.includes(path))
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
      const unused = keys.filter(english => !wanted.includes(english))
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
