import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountFacts, findingOf } from '#domain/health/facts.ts'
import { INCIDENT_RULES } from '#domain/health/incident-rules.ts'
import { CALM_ON_CALL } from '#test/kit/calm-on-call.ts'

const SINCE = Date.UTC(2026, 0, 31, 12)
const policy = { id: 'pol_1', name: 'Night', rings: false, emptySteps: [] }

function found(onCall: Partial<AccountFacts['onCall']>) {
  // These rules look at nothing else.
  const facts = { onCall: { ...CALM_ON_CALL, ...onCall } } as AccountFacts
  const findings = INCIDENT_RULES.flatMap(rule => rule(facts)).map(findingOf)
  return findings.map(({ code, severity, subject, since }) => [code, severity, subject, since])
}

test('an incident that nobody took is critical', () => {
  const waiting = [{ id: 'inc_1', number: 2, name: 'Kuma', since: SINCE, isOver: true }]
  assert.deepEqual(found({ waiting }), [['INCIDENT_UNANSWERED', 'critical', 'inc_1', SINCE]])
})

test('a policy in use needs answers, a phone that calls if it rings, and people', () => {
  const of = (more: Partial<AccountFacts['onCall']>) => found({ policies: [policy], ...more })
  assert.deepEqual(of({}), [])
  assert.deepEqual(of({ canRing: false }), [])
  assert.deepEqual(of({ canHearAnswers: false }), [['ANSWERS_CANNOT_ARRIVE', 'warning', null, null]])
  assert.deepEqual(of({ canHearAnswers: false, policies: [] }), [])
  const rings = [{ ...policy, rings: true }]
  assert.deepEqual(of({ canRing: false, policies: rings }), [['CANNOT_RING', 'warning', null, null]])
  const empty = [{ ...policy, emptySteps: [2] }]
  assert.deepEqual(of({ policies: empty }), [['NOBODY_ON_CALL', 'warning', 'pol_1', null]])
})

test('people who get no more texts, and a day without room for them, are problems', () => {
  const overCap = [{ id: 'per_1', name: 'Ada', since: SINCE }]
  assert.deepEqual(found({ overCap }), [['PERSON_OVER_CAP', 'warning', 'per_1', SINCE]])
  assert.deepEqual(found({ isDayOver: true }), [['PERSON_OVER_CAP', 'warning', null, null]])
})
