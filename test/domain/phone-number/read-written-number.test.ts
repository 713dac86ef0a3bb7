import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { type PhoneNumber, parsePhoneNumber, regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { orUnchecked, readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { sized } from '#test/kit/test-size.ts'

/** Of each kind that a country has. */
const EXAMPLES = readFileSync('test/kit/example-numbers.txt', 'utf8').match(/\+\d+/g) ?? []
const HOMES = ['DE', 'AT', 'FR', 'IT', 'IN', 'GB', '']

/** The number that is read, or `refused`. */
function readAs(text: string, home: string): string {
  const read = readWrittenNumber(text, home)
  return typeof read === 'string' ? 'refused' : read.e164
}

function exampleOf(country: CountryCode) {
  const example = getExampleNumber(country, examples)
  assert.ok(example)
  return example
}

/** How many of the numbers of all countries are accepted in this spelling. None may become another number. */
function countRead(home: string, write: (digits: string) => string): number {
  const all = getCountries().map(country => exampleOf(country).number)
  return all.filter(meant => {
    const read = readAs(write(meant.slice(1)), home)
    assert.ok(read === meant || read === 'refused', `${write(meant.slice(1))} in ${home} became ${read}`)
    return read === meant
  }).length
}

for (const home of sized(0, 1) === 0 ? HOMES : ['', ...getCountries()]) {
  test(`in "${home}", the numbers of all countries are read as they were meant, or refused`, () => {
    const total = getCountries().length
    assert.equal(
      countRead(home, digits => `+${digits}`),
      total,
    )
    const withZeros = countRead(home, digits => `00${digits}`)
    // Another exit code of the home country may begin with 00, too.
    assert.ok(withZeros >= total - 30, `${home}: ${withZeros}`)
    const bare = countRead(home, digits => digits)
    assert.ok(bare >= (['DE', 'AT'].includes(home) ? 30 : 120), `${home}: ${bare}`)
  })
}

test('national numbers are read as numbers of the default country, or refused', () => {
  let refused = 0
  for (const country of getCountries()) {
    const example = exampleOf(country)
    for (const written of [example.formatNational(), example.formatNational().replace(/\D/g, '')]) {
      const read = readAs(written, country)
      if (read === 'refused') refused++
      else assert.equal(read, example.number, `${written} in ${country}`)
    }
    const international = readWrittenNumber(example.formatInternational(), country)
    // In Gabon both are numbers.
    if (typeof international === 'string') assert.match(international, /^can be two numbers: /)
    else assert.equal(international.e164, example.number)
  }
  assert.ok(refused <= 14, `${refused} of ${2 * getCountries().length} were refused`)
})

test('the zero that is dialled at home only never makes another number, however it is written', t => {
  const numbers = new Set([...getCountries().map(country => exampleOf(country).number), ...EXAMPLES])
  let asked = 0
  for (const meant of numbers) {
    const code = parsePhoneNumber(meant)?.callingCode ?? ''
    assert.notEqual(code, '', meant)
    const rest = meant.slice(1 + code.length)
    for (const text of [
      `+${code} (0)${rest}`,
      `+${code} 0${rest}`,
      `+${code}(0)${rest}`,
      `00${code} (0)${rest}`,
    ])
      for (const written of [
        text,
        `\u202a${text}\u202c`,
        text.replaceAll(' ', '\u202f'),
        inArabicDigits(text),
      ]) {
        const read = readWrittenNumber(written, '')
        if (typeof read !== 'string') assert.equal(read.e164, meant, written)
        else {
          asked++
          assert.match(read, new RegExp(`^can be two numbers: write \\+${code}0${rest} .*, else \\${meant}$`))
        }
      }
  }
  t.diagnostic(`${numbers.size} numbers, each in 16 spellings`)
  // Six numbers are valid with the zero, too.
  assert.equal(asked, 6 * 16)
})

function inArabicDigits(text: string): string {
  return text.replace(/\d/g, digit => String.fromCodePoint(0x660 + Number(digit)))
}

const READ: readonly (readonly [text: string, home: string, meant: string])[] = [
  ['0151 12345678', 'DE', '+4915112345678'],
  ['(0151) 123-456.78', 'DE', '+4915112345678'],
  ['0151/12345678', 'DE', '+4915112345678'],
  // A spreadsheet has removed the zero.
  ['15112345678', 'DE', '+4915112345678'],
  ['+49 (0)151 12345678', '', '+4915112345678'],
  ['0049 (0)151 12345678', 'FR', '+4915112345678'],
  ['(00) 49 151 12345678', 'US', '+4915112345678'],
  ['0049 151 12345678', 'JP', '+4915112345678'],
  ['0015005550001', 'DE', '+15005550001'],
  ['14155550102', '', '+14155550102'],
  ['14155550102', 'DE', '+14155550102'],
  ['14155550102', 'US', '+14155550102'],
  ['(415) 555-0102', 'US', '+14155550102'],
  ['011 49 151 12345678', 'US', '+4915112345678'],
  ['010 49 151 12345678', 'JP', '+4915112345678'],
  ['0011 49 151 12345678', 'AU', '+4915112345678'],
  ['8 10 49 151 12345678', 'RU', '+4915112345678'],
  ['33612345678', 'FR', '+33612345678'],
  ['436641234567', 'AT', '+436641234567'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['+39 06 1234 5678', '', '+390612345678'],
  ['333 123 4567', 'IT', '+393331234567'],
  ['011 15 2345-6789', 'AR', '+5491123456789'],
  ['0 15 11 91234-5678', 'BR', '+5511912345678'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['8 (916) 123-45-67', 'RU', '+79161234567'],
  [' 0171 1234567 ', 'DE', '+491711234567'],
  // The + of a form.
  [' 12025550100', 'DE', '+12025550100'],
  ['٠١٥١١٢٣٤٥٦٧٨', 'DE', '+4915112345678'],
  ['00 39 (0)333 1234567', '', '+393331234567'],
]
for (const [text, home, meant] of READ) {
  test(`${text} in "${home}" is ${meant}`, () => {
    assert.equal(readAs(text, home), meant)
  })
}

const BOTH: readonly (readonly [text: string, home: string])[] = [
  // +49 151 12345678, or 0491 5112345678.
  ['4915112345678', 'DE'],
  // +33 6 12345678, or 03361 2345678.
  ['33612345678', 'DE'],
  // +20 1 55550123, or (201) 555-0123.
  ['2015550123', 'US'],
  // A number of Singapore after Korea's exit code 001, or one of Alabama after 00.
  ['001 65 9234 5678', 'KR'],
]
for (const [text, home] of BOTH) {
  test(`${text} in ${home} can mean two numbers, so it is refused`, () => {
    const read = readWrittenNumber(text, home)
    assert.match(String(read), new RegExp(`^must begin with \\+ .* international number or one of ${home}$`))
  })
}

const NEITHER: Readonly<Record<string, readonly string[]>> = {
  'a national number without a default country': ['0151 12345678', '(415) 555-0102', '4155550102'],
  'a short number': ['110', '112', '72404', '0', '00', '00 112', ''],
  'a number after three zeros': ['00033612345678', '00 0151 12345678'],
  'letters and extensions': ['nobody', '0151 CALL ME', '415 555 0102 x12', '0151;ext=5', '*31#015112345678'],
  'a text that is too long': ['9'.repeat(100_000), `0151${' '.repeat(40)}12345678`],
  'two numbers': ['4915112345678 4366412345678', '+4915112345678 +4366412345678', '004366412345678+1'],
}
for (const [what, texts] of Object.entries(NEITHER)) {
  test(`${what} is refused, with words that lead to a good number`, () => {
    const homes = what.includes('default') ? [''] : ['', 'DE', 'US', 'ZZ']
    for (const home of homes)
      for (const text of texts) {
        const read = readWrittenNumber(text, home)
        assert.match(String(read), /like \+14155550123/, `${text} in ${home}`)
        assert.doesNotMatch(String(read), /default_country/)
      }
  })
}

test('the refusal of a number whose + became a space says how to write it', () => {
  assert.match(String(readWrittenNumber(' 4915112345678', 'DE')), /%2B/)
  assert.doesNotMatch(String(readWrittenNumber('4915112345678', 'DE')), /%2B/)
})

test('two numbers with a blank between them are never read as one', () => {
  assert.equal(readAs('393123 345678', 'AD'), 'refused')
  assert.equal(readAs('393123', 'AD'), '+376393123')
  assert.equal(readAs('+39 312 334 5678', 'AD'), '+393123345678')
})

const UNRULED: readonly (readonly [text: string, taken: string | null])[] = [
  // Numbers of machines in Latvia and Spain.
  ['+371 3000 0001 2345', '+371300000012345'],
  ['tel:+345906566798696', '+345906566798696'],
  ['72404', '72404'],
  [' 33-11 ', '3311'],
  // What can be read as a number is read so.
  ['+39 (0)333 1234567', '+393331234567'],
  ['00393331234567', '+393331234567'],
  ...['110', '112', '118', '119', '911', '995', '999', '000', '00112', '0911', '+49 112', '+1911'].map(
    text => [text, null] as const,
  ),
  ...['12', '1234567', '+1234', '+0123456', '+12345678901234567', 'nobody', '', '+39 (0)331 123456'].map(
    text => [text, null] as const,
  ),
]
for (const [text, taken] of UNRULED) {
  test(`${JSON.stringify(text)} is ${taken ?? 'refused'} where a caller wants no checks`, () => {
    const asked = { hasShortCodes: true, way: 'skip' }
    const known = readWrittenNumber(text, '')
    const read = orUnchecked(known, text, { ...asked, isTaken: true })
    assert.equal(typeof read === 'string' ? null : read.e164, taken)
    const refusal = orUnchecked(known, text, { ...asked, isTaken: false })
    const isRuled = typeof known !== 'string'
    assert.equal(/ add skip$/.test(String(refusal)), taken !== null && !isRuled, String(refusal))
  })
}

test('a short code has no country, and is refused where short codes are off', () => {
  const known = readWrittenNumber('72404', '')
  const asked = { isTaken: true, way: 'skip' }
  const code = orUnchecked(known, '72404', { ...asked, hasShortCodes: true })
  assert.equal(regionOf(code as PhoneNumber), null)
  assert.equal(orUnchecked(known, '72404', { ...asked, hasShortCodes: false }), known)
})
