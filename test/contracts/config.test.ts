import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { CONFIG_DEFAULTS, Config } from '#contracts/config.ts'

test('the defaults are a valid configuration', () => {
  assert.deepEqual(v.parse(Config, CONFIG_DEFAULTS), CONFIG_DEFAULTS)
})
