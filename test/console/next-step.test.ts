import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStepOf } from '#console/next-step.ts'
import type { IncidentResource } from '#contracts/incident.ts'

const AT = Date.parse('2026-01-31T02:13:00.000Z')
const policy = {
  id: 'pol_1',
  steps: [
    { afterMinutes: 0, tell: ['per_a'], ring: false },
    { afterMinutes: 5, tell: ['per_b'], ring: true },
  ],
}
const incident = (events: readonly string[], state = 'open') =>
  ({
    ...{ state, openedAt: new Date(AT).toISOString(), policyId: 'pol_1' },
    timeline: events.map(event => ({ event })),
  }) as IncidentResource

test('an alert that waits says who is told next, as long as that is certain', () => {
  const next = nextStepOf(incident(['opened', 'told']), [policy], AT + 60_000)
  assert.deepEqual(next, { at: AT + 300_000, tell: ['per_b'], ring: true })
  assert.equal(nextStepOf(incident(['opened', 'told']), [policy], AT + 300_000), null)
  assert.equal(nextStepOf(incident(['opened', 'passed']), [policy], AT), null)
  assert.equal(nextStepOf(incident(['opened'], 'taken'), [policy], AT), null)
  assert.equal(nextStepOf(incident(['opened']), [], AT), null)
})
