import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSmsgateFaults, killSmsgate, repeatedByApp } from '#test/kit/kill-smsgate.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(3, 12)

test('kill -9 of gateway and phone posts no text twice and loses none', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const records = await killSmsgate(t, { rounds: ROUNDS, seed })
  t.diagnostic(`${records.accepted.length} texts, ${records.transmitted.length} transmitted`)
  t.diagnostic(`${repeatedByApp(records)} sent again by the app itself`)
  assert.deepEqual(findSmsgateFaults(records), [])
  assert.ok(records.accepted.length >= ROUNDS, 'there were texts')
})
