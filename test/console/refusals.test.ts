import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { patternOf } from '#console/language.ts'
import { refuseNumber } from '#domain/phone-number/parse-phone-number.ts'
import { orUnchecked, readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { refusalsOf } from '#test/kit/refusals.ts'
import { readAll } from '#test/kit/sentences.ts'

const FOLDER = 'src/contracts/languages'
/** What can refuse a call of the console, which sends well-formed JSON. */
const CALLED = /^src\/(contracts|domain|transport\/http)\//
/** What only phones, programs and other gateways call. */
const NOT_CALLED = [
  /contracts\/(config|device-frames|phone-orders|smsgate|cluster|two-factor)/,
  /http\/(dialects|openapi)\//,
  /http\/(body|decode-body|read-fields|cluster-routes|trigger-webhook)\.ts/,
  /routes\/(authority|console|health|live)\.ts/,
]

const sentences = readAll('.')
  .filter(({ path }) => CALLED.test(path) && !NOT_CALLED.some(one => one.test(path)))
  .flatMap(refusalsOf)

/** The names of fields in the API, which readers of the console never see. */
const fields = new Set(
  readAll('.')
    .filter(({ path }) => path.startsWith('src/contracts/'))
    .flatMap(({ text }) => [...text.matchAll(/^ +([a-z]\w*): (?:noted|v\.)/gm)].map(([, name = '']) => name)),
)
/** Words of a language that are written like a field. */
const NO_FIELDS: readonly string[] = ['http']
/** Commands, and lines for the configuration. */
const CODE = /\(roost [^)]*\)|\[\w+\] \w+ = \S+/g

for (const file of readdirSync(FOLDER))
  test(`${file} names no field of the API in what the gateway refuses with`, () => {
    const words = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, string>
    const refusals = new Set(sentences.map(({ english }) => english))
    const naming = Object.entries(words)
      .filter(([english]) => refusals.has(english.replace(/\{\d\}/g, '{}')))
      .filter(([, translated]) =>
        // A key of the configuration has dots, a value in quotes is one of the reader's.
        [...translated.replace(CODE, '').matchAll(/(?<![\w.„{])[a-z]\w*(?![\w.}])/g)].some(
          ([word]) => fields.has(word) && !NO_FIELDS.includes(word),
        ),
      )
    assert.deepEqual(naming, [])
    assert.ok(fields.has('queueIfOffline') && fields.size > 100, 'few fields were found')
  })

for (const file of readdirSync(FOLDER))
  test(`${file} has each sentence with which the gateway refuses a call of the console`, () => {
    const words = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, string>
    const known = Object.keys(words)
    const exact = new Set(known.map(english => english.replace(/\{\d\}/g, '{}')))
    // The console finds a sentence with a value written out by the one with a number in its place.
    const patterns = known.filter(english => english.includes('{1}')).map(patternOf)
    const missing = sentences.filter(
      ({ english }) => !exact.has(english) && !patterns.some(pattern => pattern.test(english)),
    )
    assert.deepEqual(
      missing.map(({ english, at }) => `${english} (${at})`),
      [],
      `translate these in ${FOLDER}/${file}`,
    )
    assert.ok(sentences.length > 100, 'few sentences were found')
  })

for (const file of readdirSync(FOLDER))
  test(`${file} has each sentence that refuses a number`, () => {
    const known = Object.keys(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))).map(patternOf)
    const unchecked = { isTaken: false, hasShortCodes: true, way: 'skipPhoneValidation: true' }
    const texts = [
      '+39 (0)331 123456',
      '+4915112345678 +4366412345678',
      '0151',
      '4915112345678',
      '+1 555',
      '72404',
      '+371300000012345',
    ]
    const refusals = texts.flatMap(text => {
      const read = readWrittenNumber(text, 'DE')
      return [String(read), String(orUnchecked(read, text, unchecked)), refuseNumber(text)]
    })
    assert.equal(new Set(refusals).size, 8)
    assert.deepEqual(
      refusals.filter(english => !known.some(pattern => pattern.test(english))),
      [],
    )
  })
