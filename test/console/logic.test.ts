import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs } from '#console/back-off.ts'
import { stepsOf } from '#console/onboarding.ts'
import { hashOf, parsePlace } from '#console/route.ts'
import { agoWords, countdownWords, spanWords } from '#console/time-words.ts'
import { grouped, passwordWord, remedyFor, signalBars, summaryOf } from '#console/words.ts'

const PHONE = { status: 'online', smsToday: 14 } as const

test('an address is a page, a thing and filters, and is written as it is read', () => {
  const { page, id, query } = parsePlace('#/messages?status=failed&q=a%20b')
  assert.deepEqual([page, id, query.get('status'), query.get('q')], ['messages', null, 'failed', 'a b'])
  assert.deepEqual(parsePlace('').page, '')
  assert.equal(parsePlace('#/received/%2B4912').id, '+4912')
  assert.equal(parsePlace('#/x/%E0%A4').id, '%E0%A4')
  assert.equal(hashOf('messages', { status: 'failed', q: '' }), '#/messages?status=failed')
})

test('a gateway that is away is asked ever less often, and never all pages at once', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 50].map(tries => backOffMs(tries, 0.5)),
    [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000],
  )
  assert.deepEqual([backOffMs(1, 0), backOffMs(1, 1)], [750, 1_250])
})

test('times are told as people do, in the past and in the future', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z')
  assert.equal(agoWords(now - 3_000, now), 'now')
  assert.equal(agoWords(now - 180_000, now), '3 minutes ago')
  assert.equal(agoWords(now + 600_000, now), 'in 10 minutes')
  assert.equal(spanWords(29_000), '29 s')
  assert.equal(spanWords(200), 'under 1 s')
  assert.equal(countdownWords(now + 598_000, now), '9:58')
  assert.equal(countdownWords(now - 1, now), '0:00')
})

test('Home says the worst first, and that all is well only when it is', () => {
  assert.match(summaryOf([], []), /No phone is paired/)
  assert.match(summaryOf([], [{ ...PHONE, status: 'offline' }]), /Nobody can be reached/)
  assert.equal(summaryOf([], [PHONE]), 'All well: 1 phone is online, 14 texts sent today.')
  const problem = { code: 'BATTERY_LOW', severity: 'warning', message: 'Kitchen has 8 % left.' }
  assert.equal(summaryOf([problem], [PHONE]), problem.message)
})

test('the first steps are ticked by facts alone', () => {
  const done = (facts: Parameters<typeof stepsOf>[0]) => stepsOf(facts).map(step => step.done)
  assert.deepEqual(done({ devices: 0, messages: 0, webhooks: 0, alerts: 0 }), [
    true,
    false,
    false,
    false,
    false,
  ])
  assert.deepEqual(done({ devices: 1, messages: 1, webhooks: 1, alerts: 1 }), [true, true, true, true, true])
})

test('words for failures, signals, codes and passwords', () => {
  assert.match(remedyFor('NO_SERVICE'), /no network/)
  assert.match(remedyFor('SOMETHING_NEW'), /Look at the phone/)
  assert.deepEqual([-120, -105, -95, -85, -70].map(signalBars), [0, 1, 2, 3, 4])
  assert.equal(grouped('40718263'), '4071 8263')
  assert.equal(passwordWord('short'), '5 more characters are needed')
  assert.match(passwordWord('aaaaaaaaaaaa'), /Weak/)
  assert.equal(passwordWord('correct horse battery'), 'Strong')
})
