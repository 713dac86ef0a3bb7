import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlderApp, readAppMessage } from '#contracts/smsgate.ts'

const failed = (error: string | null, states = {}) =>
  readAppMessage({ id: 'm', state: 'Failed', recipients: [{ state: 'Failed', error }], states })

test("the app's error messages become failure codes", () => {
  for (const [sentence, code] of [
    [
      'Send result: RESULT_ERROR_NO_SERVICE (Failed because service is unavailable)',
      'RESULT_ERROR_NO_SERVICE',
    ],
    ['Send result: RESULT_RADIO_NOT_AVAILABLE (the radio)', 'RESULT_RADIO_NOT_AVAILABLE'],
    ['Delivery result: RESULT_ERROR_NO_SERVICE', 'UNDELIVERED'],
    ['Delivery result from SC +4917: 70', 'UNDELIVERED'],
    ['TTL expired', 'EXPIRED'],
    ['sendSMS: SIM card not found', 'NOT_STARTED'],
    ["Can't send message: something else", 'RADIO_FAILURE'],
    [null, 'RADIO_FAILURE'],
  ] as const)
    assert.equal(failed(sentence).code, code)
})

test('a failure after the text was sent never becomes a failure without transmission', () => {
  const error = 'Send result: RESULT_ERROR_NO_SERVICE'
  assert.equal(failed(error, { Sent: '2026-01-31T12:00:00Z' }).code, 'UNDELIVERED')
})

test('versions are compared number by number', () => {
  assert.ok(isOlderApp('1.9.0', '1.39.0'))
  assert.ok(isOlderApp('1.58.0-beta1', '1.59.0'))
  for (const version of ['1.59.0', '1.59', '1.100.1', '2.0.0', 'unknown'])
    assert.ok(!isOlderApp(version, '1.59.0'), version)
})
