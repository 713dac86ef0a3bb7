/** The texts of the corpus: as they were read, with what a person wants to know. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { AlertCase } from '#test/kit/alert-payloads.ts'
import { corpus } from '#test/kit/rendered-corpus.ts'
import { wordsMissing } from '#test/kit/wanted-words.ts'

/** The texts that `scripts/fit-facts.ts --texts` has written. A change of them is read as a diff. */
const TEXTS = readFileSync(join(import.meta.dirname, '../../kit/alert-texts.jsonl'), 'utf8')
const golden = TEXTS.trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as readonly [file: string, name: string, text: string])
/** Of the words that a person wants, a text may lack so many. */
const MISSING_MAX = 0.3

test('each body of the corpus has a text that was read', () => {
  const names = corpus.map(({ file, one }) => [file, one.name])
  assert.deepEqual(
    golden.map(([file, name]) => [file, name]),
    names,
    'write the texts anew: node scripts/fit-facts.ts --texts',
  )
})

for (const [file, list] of Map.groupBy([...corpus.entries()], ([, known]) => known.file)) {
  suite(`${file}: a body gives the text that was read, its state, and what a person wants to know`, () => {
    for (const [at, { one, alert }] of list) {
      test(one.name, () => {
        const { message, format, severity, state } = alert
        const { text: _, ...expected } = pick(one)
        const rank = one.severity === undefined ? {} : { severity }
        const told = one.state === undefined ? {} : { state }
        assert.deepEqual({ message, format, ...rank, ...told }, { message: golden[at]?.[2], ...expected })
      })
    }
  })
}

test('few texts lack what a person wants to know, and these are printed', t => {
  const poor = corpus.filter(
    ({ one, alert }) => wordsMissing(one.ideal ?? one.text, alert.message) > MISSING_MAX,
  )
  for (const { one, alert } of poor)
    t.diagnostic(`${one.name}\n    wanted ${one.ideal ?? one.text}\n    ours   ${alert.message}`)
  assert.ok(poor.length <= 20, `${poor.length} of ${corpus.length}`)
})

test('a text that begins with a good state is never about an alarm', () => {
  const good = corpus.filter(({ alert: { message } }) => /^(?:RESOLVED|RECOVERED|OK|UP) /.test(message))
  assert.ok(good.length > 100)
  for (const { one, alert } of good) assert.notEqual(alert.state, 'firing', one.name)
})

function pick({ text, format, severity, state }: AlertCase) {
  return {
    text,
    format,
    ...(severity === undefined ? {} : { severity }),
    ...(state === undefined ? {} : { state }),
  }
}
