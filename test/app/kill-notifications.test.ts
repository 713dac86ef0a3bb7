import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killNotifications } from '#test/kit/kill-notifications.ts'

const ROUNDS = 30

test('killed at random moments, every event that was written arrives under its id and no other', async t => {
  const report = await killNotifications(ROUNDS, Math.random)
  t.diagnostic(JSON.stringify(report))
  assert.ok(report.events > ROUNDS, 'there was something to lose')
})
