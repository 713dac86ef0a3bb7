import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryOfImsi } from '#agent/drivers/modem/seen-modem.ts'

test('the first three digits of a subscriber’s number name a country', () => {
  const countries = ['262010000000001', '310410123456789', '20404', '75099', '202'].map(countryOfImsi)
  assert.deepEqual(countries, ['DE', 'US', 'NL', 'FK', 'GR'])
  assert.deepEqual(['', '00101', '90128', '26', 'GR2'].map(countryOfImsi), [null, null, null, null, null])
})
