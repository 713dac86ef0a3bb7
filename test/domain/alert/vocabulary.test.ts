import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import * as fieldNames from '#domain/alert/vocabulary/field-names.ts'
import * as states from '#domain/alert/vocabulary/states.ts'
import { readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'

interface Body {
  readonly request: TriggerRequest
  /** The letters and digits of the whole request. */
  readonly words: string
  readonly rendered: string
}

/** All bodies of the corpus. The shortest come first, because they render fastest. */
const bodies: readonly Body[] = [...readAlertCases().values()]
  .flat()
  .map(one => {
    const request = requestOf(one)
    return { request, words: lettersOf(JSON.stringify(one)), rendered: render(request) }
  })
  .sort((a, b) => a.words.length - b.words.length)

function render(request: TriggerRequest): string {
  return JSON.stringify(renderAlert(request, null))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

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
      const letters = lettersOf(word)
      const has = (body: Body): boolean => body.words.includes(letters)
      const differs = (body: Body): boolean => render(body.request) !== body.rendered
      // Usually a body that contains the word needs it; a few words are added by Roost itself.
      return !without(table, word, () => bodies.filter(has).some(differs) || bodies.some(differs))
    })
    assert.deepEqual(
      idle,
      [],
      'remove these words, or add a real body that contains them to test/kit/payloads, with its sender',
    )
  })
}
