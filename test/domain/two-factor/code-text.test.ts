import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { MESSAGE_LENGTH_MAX } from '#contracts/bounds.ts'
import { Code, CodeTemplate } from '#contracts/two-factor.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { fillCodeTemplate, maskCode } from '#domain/two-factor/code-text.ts'

const MASKED: readonly (readonly [template: string, code: string, masked: string])[] = [
  ['Your verification code is {code}', '123456', 'Your verification code is ******'],
  ['{code}', 'A1b2', '****'],
  ['{code} is {code}', '4711', '**** is ****'],
  ['4711: type {code}, not 471', '4711', '****: type ****, not 471'],
  ['1{code}1', '1111', '******'],
  ['12{code}', '1212', '******'],
  ['your code is {code}', 'code', 'your **** is ****'],
  ['{{code}}', '1234', '{****}'],
  ['{code}{code}', '9991', '********'],
  ['€ {code} 😀', '9999', '€ **** 😀'],
]

for (const [template, code, masked] of MASKED)
  test(`the template "${template}" with the code ${code} is shown as "${masked}"`, () => {
    assert.equal(maskCode(fillCodeTemplate(template, code), code), masked)
  })

const codes = fc.stringMatching(/^[A-Za-z0-9]{4,10}$/)
const repetitive = fc.stringMatching(/^[01]{4,10}$/)
const templates = fc
  .array(fc.oneof(fc.constant('{code}'), fc.string(), fc.constantFrom('0', '1', '0110', '😀')), {
    maxLength: 20,
  })
  .map(parts => [...parts, '{code}'].join(''))

test('the shown text never contains the code, and has the segments of the sent text', () => {
  fc.assert(
    fc.property(templates, fc.oneof(codes, repetitive), (template, code) => {
      const text = fillCodeTemplate(template, code)
      const masked = maskCode(text, code)
      assert.ok(text.includes(code))
      assert.ok(!masked.includes(code))
      assert.equal(masked.length, text.length)
      assert.deepEqual(segmentsOf(masked), segmentsOf(text))
    }),
  )
})

test('the longest template with the longest code still fits into a message', () => {
  const template = '{code}'.repeat(80)
  assert.ok(v.is(CodeTemplate, template))
  assert.ok(!v.is(CodeTemplate, `${template}x`))
  assert.ok(fillCodeTemplate(template, 'A'.repeat(10)).length <= MESSAGE_LENGTH_MAX)
})

test('a code has 4 to 10 letters or digits of ASCII', () => {
  for (const code of ['1234', 'abcdEFGH99', '0000']) assert.ok(v.is(Code, code), code)
  for (const code of ['', '123', '12345678901', '12 34', '12-34', '１２３４', 'ÄÖÜß', '1234\n', 1234])
    assert.ok(!v.is(Code, code), String(code))
})
