import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import { renderAlert, renderPreview } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { sized } from '#test/kit/test-size.ts'

const seed = Number(process.env['ROOST_TEST_SEED'] ?? Date.now() % 0x7fff_ffff)
const RUNS = { seed, numRuns: sized(40, 400) }
console.log(`seed ${seed} (set ROOST_TEST_SEED to repeat)`)

/** Field names that senders are recognised by, and some others. */
const NAMES =
  'title subject message text msg body summary description status state severity level name ' +
  'host service monitor ' +
  'heartbeat alerts labels annotations alertname instance startsAt endsAt commonLabels ' +
  'truncatedAlerts evalMatches ' +
  'ruleName event eventType instanceName series episodes data attributes cause repository ' +
  'full_name action issue ' +
  'workflow_run culprit metadata embeds attachments blocks fields value type payload error ' +
  'duration door battery ' +
  '__proto__ constructor toString'
/** Words that Roost itself adds to a text: states, counts and connecting words. */
const OWN_WORDS =
  'ALERT without details after on by more firing resolved down tags http test confirm ' +
  'subscription to ping error ' +
  'problem imported upgraded grabbed added needs a hand head commit'

const name = fc.constantFrom(...NAMES.split(' '))
const word = fc.stringMatching(/^[bcdfghjklmnpqrstvwxyz]{3,9}$/)
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map(words => words.join(' '))
const anyText = fc.string({ unit: 'binary', maxLength: 700 })

function payloads(text: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      text,
      fc.integer({ min: 0, max: 5 }),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 8 }).map(pairs => JSON.parse(toJson(pairs))),
    ),
  })).value
}

/** JSON as a sender would write it, in which `__proto__` is an ordinary field. */
function toJson(pairs: readonly (readonly [string, unknown])[]): string {
  return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
}

function assertSendable(message: string): void {
  assert.ok(message.length >= 1 && message.length <= ALERT_LENGTH_MAX, `${message.length} units`)
  assert.doesNotMatch(message, /\p{Cc}/u)
  assert.equal(message, message.trim())
  assert.ok(message.isWellFormed())
}

test('any JSON value gives a text that can be sent', () => {
  fc.assert(
    fc.property(fc.oneof(payloads(anyText), fc.jsonValue()), value => {
      assertSendable(renderPreview(value, null).message)
    }),
    RUNS,
  )
})

test('any bytes of any content type give a text that can be sent', () => {
  const types = fc.constantFrom(
    null,
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    anyText.map(text => new TextEncoder().encode(text)),
    fc.stringMatching(/^[[\]{}",:\\nul0-9 \n=&%+-]{0,200}$/).map(text => new TextEncoder().encode(text)),
  )
  fc.assert(
    fc.property(types, bytes, fc.constantFrom('GET', 'POST'), anyText, (contentType, body, method, query) => {
      assertSendable(renderAlert(triggerRequest({ contentType, body, method, query }), null).message)
    }),
    RUNS,
  )
})

test('any template gives a text that can be sent', () => {
  const piece = fc.oneof(
    anyText,
    name.map(path => `{{${path}}}`),
    name.map(path => `{{ 0.${path}[1] }}`),
  )
  fc.assert(
    fc.property(payloads(anyText), fc.array(piece, { maxLength: 6 }), (value, pieces) => {
      assertSendable(renderPreview(value, pieces.join('')).message)
    }),
    RUNS,
  )
})

test('a template gives its fixed texts and the values, in order', () => {
  const parts = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(parts, pairs => {
      const payload = Object.fromEntries(pairs.map(([, value], index) => [`key${index}`, value]))
      const template = pairs.map(([literal], index) => `${literal} {{key${index}}}`).join(' ')
      const expected = pairs.flat().join(' ').slice(0, ALERT_LENGTH_MAX)
      assert.equal(renderPreview(payload, template).message, expected)
    }),
    RUNS,
  )
})

test('a text contains only words of the payload, field names and states', () => {
  const names = `${NAMES} ${NAMES.replace(/([a-z])([A-Z])/g, '$1 $2')}`
  const own = new Set(`${names} ${OWN_WORDS} limit`.toLowerCase().split(/[^a-z]+/))
  fc.assert(
    fc.property(payloads(sentence), value => {
      const given = new Set(
        JSON.stringify(value)
          .toLowerCase()
          .split(/[^a-z]+/),
      )
      const { message } = renderPreview(value, null)
      const cut = message.length > ALERT_LENGTH_MAX - 12 || message.includes('...')
      const foreign = (message.toLowerCase().match(/[a-z]{2,}/g) ?? []).filter(
        text => !given.has(text) && !own.has(text),
      )
      assert.deepEqual(cut ? foreign.slice(2) : foreign, [], message)
    }),
    RUNS,
  )
})

const HUGE = 262_144
const hostile: readonly (readonly [name: string, text: string])[] = [
  ['opening braces', '{'.repeat(HUGE)],
  ['opening brackets', '['.repeat(HUGE)],
  ['nested arrays', `${'['.repeat(HUGE / 2)}${']'.repeat(HUGE / 2)}`],
  ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['quotes', `{"a":"${'x"'.repeat(HUGE / 2)}`],
  ['raw newlines', `{"a":"${'\n'.repeat(HUGE)}`],
  ['ampersands', `a=1${'&b'.repeat(HUGE / 2)}`],
  ['half tags', '<a '.repeat(HUGE / 3)],
  ['half styles', '<style>'.repeat(HUGE / 7)],
  ['half links', '[a]('.repeat(HUGE / 4)],
  ['stars', '*a'.repeat(HUGE / 2)],
  ['links', 'https://'.repeat(HUGE / 8)],
  ['emoji', '👩‍'.repeat(HUGE / 3)],
  ['accents', `a${'\u0301'.repeat(HUGE / 2)}`],
  ['short lines', 'a\n'.repeat(HUGE / 2)],
  ['key lines', 'Key: value\n'.repeat(HUGE / 11)],
  ['state words', 'Resolved in 1: '.repeat(HUGE / 15)],
]

for (const [what, text] of hostile) {
  test(`a large body of ${what} gives a text that can be sent`, () => {
    for (const body of [text, JSON.stringify({ title: text, message: text })]) {
      for (const contentType of ['application/json', 'application/x-www-form-urlencoded']) {
        assertSendable(renderAlert(triggerRequest({ contentType, body }), null).message)
      }
    }
  })
}
