/** The texts of the corpus: as they were read, with what a person wants to know. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AlertCase } from '#test/kit/alert-payloads.ts'
import { corpus } from '#test/kit/rendered-corpus.ts'
import { wordsMissing } from '#test/kit/wanted-words.ts'

/** Of the words that a person wants, a text may lack so many. */
const MISSING_MAX = 0.3

for (const [file, list] of Map.groupBy(corpus, known => known.file)) {
  suite(`${file}: a body gives the text that was read, its state, and what a person wants to know`, () => {
    for (const { one, alert } of list) {
      test(one.name, () => {
        const { message, format, severity, state } = alert
        const { text, ...expected } = pick(one)
        const rank = one.severity === undefined ? {} : { severity }
        const told = one.state === undefined ? {} : { state }
        assert.deepEqual({ message, format, ...rank, ...told }, { message: text, ...expected })
      })
    }
  })
}

test('few texts lack what a person wants to know, and these are printed', t => {
  const poor = corpus.filter(({ one, alert }) => wordsMissing(one.ideal, alert.message) > MISSING_MAX)
  for (const { one, alert } of poor)
    t.diagnostic(`${one.name}\n    wanted ${one.ideal}\n    ours   ${alert.message}`)
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
