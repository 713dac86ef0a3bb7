import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fieldNames from '#domain/alert/vocabulary/field-names.ts'
import * as states from '#domain/alert/vocabulary/states.ts'
import { corpus, isChanged } from '#test/kit/rendered-corpus.ts'

/** All bodies of the corpus. Those with the fewest words come first, because they render fastest. */
const bodies = corpus.toSorted((a, b) => a.found.size - b.found.size)

/** Removes a word from a table of the vocabulary while `look` runs. */
function without(table: unknown, word: string, look: () => boolean): boolean {
  if (Array.isArray(table)) {
    const at = table.indexOf(word)
    table.splice(at, 1)
    const found = look()
    table.splice(at, 0, word)
    return found
  }
  const words = table as Map<string, unknown> | Set<string>
  const value = words instanceof Map ? words.get(word) : undefined
  words.delete(word)
  const found = look()
  if (words instanceof Map) words.set(word, value)
  else words.add(word)
  return found
}

const tables = [...Object.entries(fieldNames), ...Object.entries(states)].filter(
  ([, table]) => Array.isArray(table) || table instanceof Set || table instanceof Map,
)

test('the vocabulary has at least twenty tables', () => assert.ok(tables.length >= 20))

for (const [name, table] of tables) {
  test(`each word of ${name} is needed by a body of the corpus`, () => {
    const words = [...(table as Map<string, unknown> | Set<string> | string[]).keys()]
    const listed = Array.isArray(table) ? [...(table as string[])] : words.map(String)
    const idle = listed.filter(word => {
      const users = bodies.filter(({ found }) => found.has(word))
      // A body that found the word usually needs it. All the others are tried only for a word that is idle.
      return !without(table, word, () => users.some(isChanged) || bodies.some(isChanged))
    })
    assert.deepEqual(
      idle,
      [],
      'remove these words, or add a real body that contains them to test/kit/payloads, with its sender',
    )
  })
}
