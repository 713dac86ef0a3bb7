import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsOf } from '#app/config/settings.ts'
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

test('names of Object.prototype are not plans', () => {
  const settings = settingsOf(CONFIG_DEFAULTS, { publicUrl: '', authority: null })
  for (const name of ['constructor', 'toString', '__proto__', 'gold'])
    assert.equal(settings.plan(name), undefined)
})
