import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { E164 } from '#contracts/primitives.ts'
import { countryMatches, parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'

const TAKEN: readonly (readonly [text: string, e164: string, country: string | null, callingCode: string])[] =
  [
    ['+4915112345678', '+4915112345678', 'DE', '49'],
    ['+49 1511 2345678', '+4915112345678', 'DE', '49'],
    ['+49 (0) 1511 2345678', '+4915112345678', 'DE', '49'],
    ['+49 (1511) 23 45-678', '+4915112345678', 'DE', '49'],
    ['+49.1511.2345678', '+4915112345678', 'DE', '49'],
    ['+49/1511/2345678', '+4915112345678', 'DE', '49'],
    ['+1\u00a0202\u2011555\u20110100', '+12025550100', 'US', '1'],
    ['+1 202 555 0100', '+12025550100', 'US', '1'],
    ['+1 (202) 555-0199', '+12025550199', 'US', '1'],
    ['+15005550001', '+15005550001', 'US', '1'],
    ['+1 555 555 0100', '+15555550100', null, '1'],
    ['+1 868 555 0100', '+18685550100', 'TT', '1'],
    ['+442079460958', '+442079460958', 'GB', '44'],
    ['+39 06 1234567', '+39061234567', 'IT', '39'],
    ['+7 916 123 45 67', '+79161234567', 'RU', '7'],
    ['+7 701 123 45 67', '+77011234567', 'KZ', '7'],
    ['+80012345678', '+80012345678', null, '800'],
    // A zero that is dialled at home only, and one that is a part of the number.
    ['+39 (0)333 1234567', '+393331234567', 'IT', '39'],
    ['+48 (0)512 345 678', '+48512345678', 'PL', '48'],
    ['+420 (0)601 123 456', '+420601123456', 'CZ', '420'],
    ['+1 (0)202 555 0100', '+12025550100', 'US', '1'],
    ['+390311234567', '+390311234567', 'IT', '39'],
    // As people paste and type numbers.
    ['\u202d+44 7976 399087\u202c', '+447976399087', 'GB', '44'],
    ['+1\ufe0d-202-555-0100', '+12025550100', 'US', '1'],
    ['+33\u202f6\u202f12\u202f34\u202f56\u202f78', '+33612345678', 'FR', '33'],
    ['+٩٦٦٥٠١٢٣٤٥٦٧', '+966501234567', 'SA', '966'],
    ['＋１２０２５５５０１００', '+12025550100', 'US', '1'],
    ['tel:+1-202-555-0100', '+12025550100', 'US', '1'],
    ['SMS: +49\u22121511\t2345678 ', '+4915112345678', 'DE', '49'],
    // The library drops one of the zeros each time it parses the number.
    ['+98000000', '+980000', 'IR', '98'],
  ]

for (const [text, e164, country, callingCode] of TAKEN) {
  test(`${text} is the number ${e164} of ${country ?? 'no one country'}`, () => {
    assert.deepEqual(parsePhoneNumber(text), { e164, country, callingCode })
    assert.deepEqual(parsePhoneNumber(e164), { e164, country, callingCode })
  })
}

const REFUSED: Record<string, readonly string[]> = {
  'text that does not begin with a plus': [
    ...['', '4915112345678', '004915112345678', '01511 2345678', 'mailto:+4915112345678', '(+49)1511'],
  ],
  'an extension': [
    ...['+12025550100x12', '+12025550100 ext. 12', '+12025550100;ext=5', '+12025550100#5', '+12025550100,12'],
  ],
  letters: ['+1800FLOWERS', '+1-800-FLOWERS', '+49 151 ABCDEFG', '+four nine', '+49151о2345678'],
  'a number that is too short or too long': [
    '+',
    '+1',
    '+49',
    '+4912',
    '+1 555 0100',
    '+1202555010',
    '+120255501000',
  ],
  'more than fifteen digits': ['+49151123456789012', '+1234567890123456'],
  'a country that does not exist': ['+999123456789', '+0123456789', '+2101234567', '+00'],
  'control characters': ['+4915112345678\0', '+49\u00081511234567'],
  'a number that can be two': ['+39 (0)331 123456', '+39 0331 123456'],
  'an emergency number behind a country code': ['+490112', '+4900112', '+49 0110'],
  'a second plus': ['++4915112345678', '+49+15112345678', '+4915112345678+'],
  'more than 32 characters': [`+4915112345678${' '.repeat(19)}`, `+${'('.repeat(100_000)}`],
}

for (const [what, texts] of Object.entries(REFUSED)) {
  test(`${what} is refused`, () => {
    for (const text of texts) assert.equal(parsePhoneNumber(text), null, JSON.stringify(text.slice(0, 40)))
  })
}

test('an accepted number is returned as E.164 and parses to the same number', () => {
  const digits = fc
    .array(fc.constantFrom(...'0123456789 -()'), { maxLength: 20 })
    .map(all => `+${all.join('')}`)
  const begun = fc.tuple(fc.constantFrom('+49151', '+1202', '+447', '+336', '+7'), digits)
  let taken = 0
  fc.assert(
    fc.property(
      fc.oneof(
        digits,
        begun.map(([start, rest]) => start + rest.slice(1)),
        fc.string(),
      ),
      text => {
        const number = parsePhoneNumber(text)
        if (number === null) return
        taken++
        assert.ok(v.is(E164, number.e164), number.e164)
        assert.equal(parsePhoneNumber(number.e164)?.e164, number.e164)
        assert.ok(number.e164.startsWith(`+${number.callingCode}`))
      },
    ),
    { numRuns: 2000 },
  )
  assert.ok(taken > 50, `only ${taken} of 2,000 texts were numbers`)
})

test('a SIM matches numbers of its country', () => {
  const matches = (text: string, sim: string) => {
    const number = parsePhoneNumber(text)
    assert.ok(number)
    return countryMatches(number, sim)
  }
  assert.equal(matches('+4915112345678', 'DE'), true)
  assert.equal(matches('+4915112345678', 'AT'), false)
  // Canada and Trinidad share the calling code of the United States, but this number belongs to one country.
  assert.equal(matches('+12025550100', 'US'), true)
  assert.equal(matches('+12025550100', 'CA'), false)
  // This number belongs to no single country, so it matches each country with its calling code.
  assert.equal(matches('+15555550100', 'US'), true)
  assert.equal(matches('+15555550100', 'CA'), true)
  assert.equal(matches('+15555550100', 'DE'), false)
  for (const unknown of ['', 'ZZ', 'us', 'USA', '__proto__'])
    assert.equal(matches('+15555550100', unknown), false)
})
