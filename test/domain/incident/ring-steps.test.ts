import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'

test('a step rings in its hours only, also the second time', () => {
  const rig = new IncidentRig(
    ['0 ada!'],
    {},
    { canRing: (_, hours) => (hours?.from === '08:00' ? 'no' : 'yes') },
  )
  assert.deepEqual(rig.opening.at(-1), 'ring ada')
  const plan = (from: string) => ({
    ...rig.incident.plan,
    steps: [{ afterMinutes: 0, tell: ['ada'], ring: true, ringHours: { from, to: '20:00' } }],
  })
  const open = (from: string) => new IncidentRig([], { plan: plan(from) }, rig.facts)
  assert.deepEqual(open('08:00').opening.at(-1), 'ada: NAS down [2]')
  const second = open('07:00')
  assert.deepEqual(second.opening.at(-1), 'ring ada')
  second.facts = { ...second.facts, canRing: (_, hours) => (hours === null ? 'yes' : 'no') }
  assert.deepEqual(second.after(1.5), [])
})

test('a person whose hour has no ring left is not rung, and the incident says so', () => {
  const rig = new IncidentRig(['0 ada bob!'], {}, { canRing: id => (id === 'ada' ? 'bound' : 'yes') })
  assert.deepEqual(rig.opening.slice(-2), ['bob: NAS down [2]', 'ring bob'])
  assert.equal(rig.incident.boundAt, rig.facts.wallMs)
  assert.match(rig.happenings(), /bound ada, ringing bob/)
})

test('a person is rung twice a step at most, the second time after 90 seconds', () => {
  const rig = new IncidentRig(['0 ada!', '5 bob'])
  assert.deepEqual(rig.opening, ['opened', 'ada: NAS down [2]', 'ring ada'])
  rig.step({ type: 'ring-ended', personId: 'ada', outcome: 'busy' })
  assert.deepEqual([rig.after(1.4), rig.after(0.1), rig.after(2)], [[], ['ring ada'], []])
  const taken = new IncidentRig(['0 ada!', '5 bob'])
  taken.answer('ada', 'take')
  assert.deepEqual(taken.after(2), [])
  assert.deepEqual(new IncidentRig(['0 ada!'], {}, { canRing: () => 'no' }).opening, [
    'opened',
    'ada: NAS down [2]',
  ])
  assert.match(rig.happenings(), /ringing ada, busy ada, ringing ada/)
})
