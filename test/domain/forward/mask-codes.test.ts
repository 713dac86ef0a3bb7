import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { maskCodes } from '#domain/forward/mask-codes.ts'

/** Texts as services send them, and what is left of them. */
const MASKED = [
  ['Your verification code is 482913.', 'Your verification code is ******.'],
  ['G-482913 is your Google verification code.', 'G-****** is your Google verification code.'],
  ['482 913 is your Example code. Do not share it.', '*** *** is your Example code. Do not share it.'],
  ['Your code: 482-913', 'Your code: ***-***'],
  ['Use 48 29 13 as your passcode', 'Use ** ** ** as your passcode'],
  ['<#> Code 4829 FA+9qCX9VSu', '<#> Code **** FA+9qCX9VSu'],
  ['OTP 4829130576 (valid 5 min)', 'OTP ********** (valid 5 min)'],
  ['@example.com #482913', '@example.com #******'],
  [
    'Ihr Code für die Anmeldung bei der Sparkasse lautet 482913.',
    'Ihr Code für die Anmeldung bei der Sparkasse lautet ******.',
  ],
  ['Die TAN für Ihre Überweisung: 482913', 'Die TAN für Ihre Überweisung: ******'],
  ['Ihr BESTÄTIGUNGSCODE: 4829', 'Ihr BESTÄTIGUNGSCODE: ****'],
  ['Votre mot de passe à usage unique : 482913', 'Votre mot de passe à usage unique : ******'],
  ['Su código es 482913', 'Su código es ******'],
  ['O seu codigo de verificacao e 482913', 'O seu codigo de verificacao e ******'],
  ['Il tuo codice di sicurezza è 48291', 'Il tuo codice di sicurezza è *****'],
  ['Uw wachtwoord is 482913', 'Uw wachtwoord is ******'],
  ['Din kod är 482913', 'Din kod är ******'],
  ['Twoje hasło jednorazowe: 482913', 'Twoje hasło jednorazowe: ******'],
  ['Váš overovací kód: 482913', 'Váš overovací kód: ******'],
  ['Doğrulama şifreniz 482913', 'Doğrulama şifreniz ******'],
  ['Ваш код подтверждения: 482913', 'Ваш код подтверждения: ******'],
  ['Ο κωδικός σας είναι 482913', 'Ο κωδικός σας είναι ******'],
  ['קוד האימות שלך הוא 482913', 'קוד האימות שלך הוא ******'],
  ['رمز التحقق الخاص بك هو ٤٨٢٩١٣', 'رمز التحقق الخاص بك هو ******'],
  ['आपका कोड 482913 है', 'आपका कोड ****** है'],
  ['รหัส OTP ของคุณคือ 482913', 'รหัส OTP ของคุณคือ ******'],
  ['Mã xác nhận của bạn là 482913', 'Mã xác nhận của bạn là ******'],
  ['【示例】您的验证码是482913，5分钟内有效。', '【示例】您的验证码是******，5分钟内有效。'],
  ['認証番号：482913', '認証番号：******'],
  ['인증번호 [482913]를 입력하세요', '인증번호 [******]를 입력하세요'],
  // Two numbers beside each other must not hide one another.
  ['code 482913 2026-01-31', 'code ****** ****-**-**'],
  ['Code 482913, amount 1500.00 EUR', 'Code ******, amount ****.00 EUR'],
] as const

/** Texts without a code. */
const KEPT = [
  'Parcel 4829130576 arrives tomorrow between 1000 and 1200',
  'Order 48291 has left. Call +14155550123',
  'Shopping at 1800 in Japan, standing order 2024',
  'Your code has three digits: 123',
  'The code is longer: 48291305761',
] as const

for (const [text, wanted] of MASKED)
  test(`a code is hidden in: ${text}`, () => {
    assert.equal(maskCodes(text), wanted)
  })

test('codes are hidden in every spelling, and texts about other things stay', () => {
  const lines = readFileSync('test/kit/code-texts.txt', 'utf8').trim().split('\n')
  const wrong = lines
    .map(line => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t'))
    .map(line => {
      // What stands in braces is the code. A line without any is no text with a code.
      const text = line.replace(/[{}]/g, '')
      const wanted = line.replace(/\{(.*?)\}/gsu, (_, code: string) => code.replace(/[\p{L}\p{N}]/gu, '*'))
      const masked = maskCodes(text)
      // Other numbers of a text with a code may be hidden, too.
      const isRight = line.includes('{')
        ? [...wanted].every((sign, at) => sign !== '*' || [...masked][at] === '*')
        : masked === text
      return isRight ? null : `${line} → ${masked}`
    })
  assert.deepEqual(wrong.filter(Boolean), [])
  assert.ok(lines.length > 250)
})

test('texts without a word for a code, and shorter and longer numbers, stay', () => {
  for (const text of KEPT) assert.equal(maskCodes(text), text)
})

test('a long text of digits and spaces is read to its end', () => {
  assert.equal(maskCodes(`code ${'1 '.repeat(50_000)}`), `code ${'* '.repeat(50_000)}`)
  assert.equal(maskCodes(`code ${'12-'.repeat(50_000)}x`), `code ${'**-'.repeat(50_000)}x`)
})
