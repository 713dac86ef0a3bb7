/** Things that join an incident: who hears of them when something else happens to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'

const web = { key: 'id:web', text: 'web down', isAloud: true } as const

test('alerts without a key are told each, and so is what joins with a rise that is not told', () => {
  const rig = new IncidentRig(['0 ada'], { key: null })
  rig.after(1)
  assert.deepEqual(rig.join({ key: null, text: 'smoke in the kitchen', isAloud: true }), [
    'ada: smoke in the kitchen [2]',
  ])
  const risen = new IncidentRig(['0 ada'], { severity: 'info' })
  risen.join({ ...web, severity: 'warning' })
  risen.after(1)
  assert.deepEqual(risen.join({ key: 'id:db', text: 'db down', isAloud: true, severity: null }), [
    'ada: db down [2]',
  ])
})

test('the text about what joined is not taken back from the person who takes it', () => {
  const rig = new IncidentRig(['0 ada bob'])
  rig.after(1)
  assert.deepEqual(rig.join(web), ['ada: web down [2]', 'bob: web down [2]'])
  const also = rig.incident.timeline.filter(({ detail }) => detail === 'Also')
  assert.equal(also.length, 2)
  rig.facts = { ...rig.facts, isWaiting: id => also.some(one => one.messageId === id) }
  const cancelled: string[] = []
  const { effects } = rig.look({ type: 'answered', personId: 'ada', verb: 'take', minutes: null })
  for (const effect of effects) if (effect.type === 'withdraw') cancelled.push(...effect.messageIds)
  assert.deepEqual(
    cancelled,
    also.filter(({ personId }) => personId === 'bob').map(({ messageId }) => messageId),
  )
})

test('what joined waits at the bound of its people, and goes to all others if who has it was removed', () => {
  const rig = new IncidentRig(['0 ada bob'])
  rig.answer('ada', 'take')
  rig.facts = { ...rig.facts, canTell: () => 'no' }
  assert.deepEqual(rig.join(web), [])
  rig.facts = { ...rig.facts, canTell: () => 'yes' }
  assert.deepEqual(rig.after(1), ['ada: Also: web down'])
  rig.after(1)
  rig.facts = { ...rig.facts, nameOf: id => (id === 'ada' ? null : id) }
  assert.deepEqual(rig.join({ ...web, key: 'id:db', text: 'db down' }), [
    'ada: Also: db down',
    'bob: Also: db down',
  ])
})

test('a thing beyond the bound is told once, and its repeats are not', () => {
  const rig = new IncidentRig(['0 ada'])
  for (let i = 1; i < ACCOUNT_BOUNDS.incidentThings.most; i++) rig.join({ key: `id:${i}` })
  rig.after(1)
  assert.deepEqual(rig.join(web), ['ada: web down [2]'])
  rig.after(1)
  assert.deepEqual([rig.join(web), rig.after(1)], [[], []])
})

test('the end of a group that does not list its things ends all of them', () => {
  const things = ['a', 'b'].map(name => ({ key: `id:nas#${name}`, name, isOver: false }))
  const rig = new IncidentRig(['0 ada'], { group: { subject: 'Down', things } })
  assert.deepEqual(rig.over(), ['closed', 'ada: 2 up again: a, b'])
})

test('a step that has run is not run again when its text fails', () => {
  const rig = new IncidentRig(['0 bob', '5 ada', '15 carol'], { atOnce: ['ada'] })
  const failed = (personId: string) => {
    const text = rig.incident.timeline.findLast(one => one.event === 'told' && one.personId === personId)
    return rig.step({ type: 'text-failed', messageId: text?.messageId ?? '' })
  }
  failed('ada')
  assert.deepEqual(rig.after(5), ['escalated', 'ada: Still: NAS down [2]'])
  assert.deepEqual(failed('ada'), ['escalated', 'carol: NAS down [2]'])
})

test('that somebody has it is taken back when nobody has it any more', () => {
  const rig = new IncidentRig(['0 ada bob'])
  rig.answer('bob', 'take')
  rig.facts = { ...rig.facts, isWaiting: id => id.startsWith('ada') }
  assert.ok(rig.answer('bob', 'no').includes('withdraw'))
})
