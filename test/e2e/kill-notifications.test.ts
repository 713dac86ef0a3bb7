import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killNotifications } from '#test/kit/kill-notifications.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(2, 20)

test('after kills at random moments every stored event arrives with its id', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const report = await killNotifications(t, { rounds: ROUNDS, seed })
  t.diagnostic(JSON.stringify(report))
  assert.ok(report.events > ROUNDS, 'there were events that could be lost')
})
