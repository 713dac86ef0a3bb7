import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRuleIssues } from '#app/config/config-rules.ts'
import { messagesOpenMax, settingsOf } from '#app/config/settings.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'

test('the domain gets the configured plans, and times in milliseconds', () => {
  const settings = settingsOf(CONFIG_DEFAULTS, { publicUrl: 'http://gateway', authority: null })
  const { offlineAfterMs, messageTtlMs, publicUrl, planNames } = settings
  assert.deepEqual([offlineAfterMs, messageTtlMs, publicUrl], [45_000, 14_400_000, 'http://gateway'])
  assert.deepEqual(planNames, ['free', 'standard', 'pro'])
  assert.deepEqual(settings.plan('standard'), {
    name: 'standard',
    smsPerDay: 1000,
    twoFactorPerDay: -1,
    callsPerMinute: 60,
    devices: 5,
    notifications: false,
  })
})

test('alarms take numbers without +, unless they can mean two numbers', () => {
  const messages = { ...CONFIG_DEFAULTS.messages, default_country: 'IT' }
  const withRecipients = (...recipients: string[]) => ({
    ...CONFIG_DEFAULTS,
    messages,
    alarms: { ...CONFIG_DEFAULTS.alarms, recipients },
  })
  const good = withRecipients('333 1234567', '0049 151 12345678', '14155550123')
  assert.deepEqual(findRuleIssues(good, '/'), [])
  const { alarmRecipients } = settingsOf(good, { publicUrl: '', authority: null })
  const numbers = alarmRecipients?.map(({ phoneNumber }) => phoneNumber)
  assert.deepEqual(numbers, ['+393331234567', '+4915112345678', '+14155550123'])
  const [both, twice] = findRuleIssues(withRecipients('33612345678', '3331234567', '+393331234567'), '/')
  assert.match(`${both?.path} ${both?.message}`, /^alarms\.recipients\.0 must begin with \+ .* or one of IT$/)
  assert.match(`${twice?.path} ${twice?.message}`, /^alarms\.recipients\.2 is listed twice/)
})

test('names of Object.prototype are not plans', () => {
  const settings = settingsOf(CONFIG_DEFAULTS, { publicUrl: '', authority: null })
  for (const name of ['constructor', 'toString', '__proto__', 'gold'])
    assert.equal(settings.plan(name), undefined)
})

test('the number of open messages follows the memory, up to a bound', () => {
  const counts = [192, 320, 448, 1024, 32_768].map(mb => messagesOpenMax(mb * 1_048_576))
  assert.deepEqual(counts, [59_918, 99_864, 139_810, 319_566, 500_000])
})
