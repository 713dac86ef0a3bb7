import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { CONFIG_DEFAULTS, Config, PLANS_BUILT_IN } from '#contracts/config.ts'

test('the defaults are a valid configuration', () => {
  assert.deepEqual(v.parse(Config, CONFIG_DEFAULTS), CONFIG_DEFAULTS)
})

test('large limits and paces are accepted', () => {
  const given = structuredClone(CONFIG_DEFAULTS)
  given.http.anonymous_calls_per_minute = 1_000_000
  given.plans['pro'] = { ...PLANS_BUILT_IN.pro, api_calls_per_minute: 100_000 }
  given.devices = { ...given.devices, segments_per_minute: 100_000, segments_burst: 100_000 }
  given.messages.ttl_s = 1
  const { http, plans, devices, messages } = v.parse(Config, given)
  assert.deepEqual([http, plans, devices, messages], [given.http, given.plans, given.devices, given.messages])
  given.http.anonymous_calls_per_minute = -1
  assert.equal(v.parse(Config, given).http.anonymous_calls_per_minute, -1)
})
