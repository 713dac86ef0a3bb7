import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { stepIncident } from '#domain/incident/step-incident.ts'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'

const TWO = ['0 ada', '5 bob']

test('an incident tells its first step at once, even without a phone that can send', () => {
  assert.deepEqual(new IncidentRig(TWO, {}, { canSendNow: false }).opening, ['opened', 'ada: NAS down [2]'])
})

test('without phones that hear, or without a free number, no text asks for an answer', () => {
  assert.deepEqual(new IncidentRig(TWO, {}, { canHearAnswers: false }).opening, ['opened', 'ada: NAS down'])
  assert.deepEqual(new IncidentRig(TWO, { number: null }).opening, ['opened', 'ada: NAS down'])
})

test('who takes it ends the steps; all others who were told hear of it', () => {
  const rig = new IncidentRig(['0 ada bob!', '5 carol'])
  assert.deepEqual(rig.answer('ada', 'take'), [
    'reply ada: Yours: NAS down',
    'hang-up',
    'taken',
    'bob: Ada has it: NAS down',
  ])
  assert.deepEqual([rig.incident.state, rig.incident.takenBy], ['taken', 'ada'])
  rig.after(5)
  assert.deepEqual(rig.answer('bob', 'take'), ['useless reply bob: Ada has it since 5 min: NAS down'])
  assert.deepEqual(rig.answer('bob', 'no'), ['useless reply bob: Ada has it since 5 min: NAS down'])
  assert.deepEqual(rig.answer('carol', 'take'), [])
  assert.equal(rig.incident.takenBy, 'ada')
  assert.deepEqual(rig.answer('ada', 'take', 480), ['useless reply ada: Yours: NAS down'])
  assert.deepEqual(rig.after(479), [])
  assert.deepEqual(rig.after(1), [
    'escalated',
    'ada: Still: NAS down [2]',
    'bob: Still: NAS down [2]',
    'ring ada',
    'ring bob',
  ])
  assert.equal(rig.incident.state, 'open')
})

test('a text that waits is taken back; whom nothing else reached was not told, and hears no end', () => {
  const rig = new IncidentRig(['0 ada bob', '5 carol'])
  rig.facts = { ...rig.facts, isWaiting: id => id.startsWith('bob') }
  assert.deepEqual(rig.answer('ada', 'take'), ['reply ada: Yours: NAS down', 'withdraw', 'taken'])
  assert.deepEqual(rig.incident.told, ['ada'])
  rig.facts = { ...rig.facts, isWaiting: () => false }
  assert.deepEqual(rig.over(), ['closed', 'ada: NAS up'])
})

test('what was taken and is not over opens again at step 1 when the time of the policy is past', () => {
  const rig = new IncidentRig(TWO)
  rig.after(5)
  rig.answer('bob', 'take')
  assert.deepEqual(rig.after(239), [])
  assert.deepEqual(rig.after(1), ['escalated', 'ada: Still: NAS down [2]'])
  assert.deepEqual(rig.after(5), ['escalated', 'bob: Still: NAS down [2]'])
  assert.match(rig.happenings(), /taken bob, told ada, reopened, escalated, told ada/)
})

test('a no brings the next step at once, and later steps keep their distance', () => {
  const rig = new IncidentRig(['0 ada', '5 ada bob', '8 carol'])
  rig.after(2)
  assert.deepEqual(rig.answer('ada', 'no'), [
    'reply ada: Passed on: NAS down',
    'escalated',
    'bob: NAS down [2]',
  ])
  assert.deepEqual(rig.answer('ada', 'no'), ['useless reply ada: Passed on: NAS down'])
  assert.deepEqual(rig.after(2.9), [])
  assert.deepEqual(rig.after(0.1), ['escalated', 'carol: NAS down [2]'])
})

test('a no at the last step brings the next round, and at the last of all the end', () => {
  const rig = new IncidentRig(['0 ada'])
  assert.deepEqual(rig.answer('ada', 'no'), [
    'reply ada: Passed on: NAS down',
    'escalated',
    'ada: Still: NAS down [2]',
  ])
  assert.deepEqual(rig.answer('ada', 'no').slice(0, 3), [
    'reply ada: Passed on: NAS down',
    'unanswered',
    'alarm',
  ])
  assert.deepEqual(rig.answer('ada', 'no'), ['useless reply ada: Nobody took: NAS down'])
  assert.deepEqual(rig.answer('ada', 'take')[0], 'reply ada: Yours: NAS down')
})

test('who has it can pass it on', () => {
  const rig = new IncidentRig(TWO)
  rig.answer('ada', 'take')
  assert.deepEqual(rig.answer('ada', 'no'), [
    'reply ada: Passed on: NAS down',
    'escalated',
    'bob: NAS down [2]',
  ])
  assert.deepEqual([rig.incident.state, rig.incident.takenBy, rig.incident.takenUntil], ['open', null, null])
})

test('the end by a person, the owner or the sender is told to everybody who knows of it', () => {
  const rig = () => {
    const one = new IncidentRig(TWO)
    one.after(5)
    return one
  }
  assert.deepEqual(rig().answer('ada', 'done'), [
    'reply ada: Closed: NAS down',
    'closed',
    'bob: Done (Ada): NAS down',
  ])
  assert.deepEqual(rig().owner('close'), [
    'closed',
    'ada: Done (Owner): NAS down',
    'bob: Done (Owner): NAS down',
  ])
  const over = rig()
  assert.deepEqual(over.over(), ['closed', 'ada: NAS up', 'bob: NAS up'])
  assert.deepEqual([over.incident.closedBy, over.incident.dueAt], ['sender', null])
  assert.deepEqual(
    [over.answer('ada', 'take'), over.owner('take'), over.join(), over.over()],
    [[], [], [], []],
  )
  const late = new IncidentRig(TWO)
  late.after(5)
  late.answer('bob', 'take')
  assert.deepEqual(late.over(), ['closed', 'ada: NAS up', 'bob: NAS up'])
})

test('the owner takes it for somebody, and passes it on', () => {
  const rig = new IncidentRig(TWO)
  assert.deepEqual(rig.owner('take', 'carol'), [
    'taken',
    'carol: Yours: NAS down',
    'ada: Carol has it: NAS down',
  ])
  assert.deepEqual(rig.answer('carol', 'done').slice(0, 1), ['reply carol: Closed: NAS down'])
  const other = new IncidentRig(TWO)
  assert.deepEqual(other.owner('take'), ['taken', 'ada: Owner has it: NAS down'])
  assert.deepEqual([other.incident.takenBy, other.incident.timeline.at(-2)?.personId], ['owner', null])
  assert.deepEqual(other.owner('next'), ['escalated', 'bob: NAS down [2]'])
})

test('an alert about the same thing counts; only a worse one is told, also to who has it', () => {
  const rig = new IncidentRig(TWO)
  assert.deepEqual(rig.join(), [])
  assert.deepEqual(rig.join({ severity: 'info' }), [])
  assert.equal(rig.incident.alerts, 3)
  assert.deepEqual(rig.join({ severity: null, text: 'NAS gone' }), ['ada: NAS gone [2]'])
  rig.answer('ada', 'take')
  assert.deepEqual(rig.join({ severity: 'critical', text: 'NAS burns' }), ['ada: NAS burns'])
  assert.deepEqual(rig.join({ severity: 'critical', text: 'NAS burns' }), [])
  assert.deepEqual(rig.join({ isAloud: true }), [])
  assert.deepEqual(rig.join({ isAloud: true, key: 'id:b' }), ['ada: Also: NAS down'])
})

test('a burst is one incident, which is over when each of its things is', () => {
  const rig = new IncidentRig(TWO, { name: 'NAS' })
  assert.deepEqual(rig.join({ key: 'id:b', name: 'B', text: 'B down', isAloud: true }), ['ada: B down [2]'])
  assert.deepEqual(rig.join({ key: null, text: 'C down' }), [])
  assert.deepEqual(rig.step({ type: 'storm-told', text: '12 down' }), ['ada: 12 down [2]'])
  assert.deepEqual(rig.over(), [])
  assert.deepEqual(rig.over(), [])
  rig.join()
  assert.deepEqual(rig.over('id:b'), [])
  rig.facts = { ...rig.facts, isWaiting: () => false }
  assert.deepEqual(rig.over(), ['closed', 'ada: 2 up again: NAS, B'])
  const unnamed = new IncidentRig(TWO, { key: null })
  unnamed.join()
  assert.deepEqual(unnamed.over(), [])
})

test('of things that join, the first is told at once, and what follows within a minute in one text', () => {
  const rig = new IncidentRig(['0 ada bob', '30 carol'])
  rig.answer('ada', 'take')
  const join = (name: string) => rig.join({ key: `id:${name}`, name, text: `${name} down`, isAloud: true })
  assert.deepEqual(join('b'), ['ada: Also: b down'])
  assert.deepEqual([rig.after(0.5), join('c'), join('d'), rig.after(0.4), join('c')], Array(5).fill([]))
  assert.deepEqual(rig.after(0.1), ['ada: Also: 2 alerts: c, d'])
  assert.deepEqual([join('b'), join('e'), rig.after(0.9)], [[], [], []])
  assert.deepEqual(rig.after(0.1), ['ada: Also: e down'])
  rig.after(1)
  assert.deepEqual(join('f'), ['ada: Also: f down'])
  join('g')
  rig.answer('ada', 'no')
  assert.deepEqual(rig.after(1), ['ada: g down [2]', 'bob: g down [2]', 'carol: g down [2]'])
})

test('what joins is told after a step that comes at the same time, and once a phone can send', () => {
  const rig = new IncidentRig(['0 ada', '1 bob'])
  const join = (name: string) => rig.join({ key: `id:${name}`, name, text: `${name} down`, isAloud: true })
  join('b')
  join('c')
  assert.deepEqual(rig.after(1), ['escalated', 'bob: NAS down [2]'])
  assert.deepEqual(rig.after(1), ['ada: c down [2]', 'bob: c down [2]'])
  join('d')
  rig.facts = { ...rig.facts, canSendNow: false }
  assert.deepEqual(rig.after(2), [])
  rig.facts = { ...rig.facts, canSendNow: true }
  assert.deepEqual(rig.after(0), ['ada: d down [2]', 'bob: d down [2]'])
})

test('what joins counts towards no bound of the incident', () => {
  const rig = new IncidentRig(['0 ada'])
  for (let i = 0; i < 25; i++) {
    assert.equal(rig.join({ key: `id:${i}`, text: `${i} down`, isAloud: true }).length, 1)
    rig.facts = { ...rig.facts, wallMs: rig.facts.wallMs + 60_000 }
  }
  assert.deepEqual([rig.incident.texts, rig.incident.boundAt], [1, undefined])
})

test('what joins while all sleep is told when the first of them wakes', () => {
  const rig = new IncidentRig(['0 ada', '5 bob'])
  const wakes = rig.facts.wallMs + 60 * 60_000
  rig.facts = { ...rig.facts, quietUntil: () => (rig.facts.wallMs < wakes ? wakes : null) }
  rig.answer('ada', 'take')
  const join = (name: string) => rig.join({ key: `id:${name}`, name, text: `${name} down`, isAloud: true })
  assert.deepEqual([join('b'), rig.after(30), join('c'), rig.after(29)], [[], [], [], []])
  assert.deepEqual(rig.after(1), ['ada: Also: 2 alerts: b, c'])
})

test('an incident with more things than it knows by name does not end by itself', () => {
  const rig = new IncidentRig(TWO)
  const { most } = ACCOUNT_BOUNDS.incidentThings
  for (let i = 0; i < most + 20; i++) rig.join({ key: `id:${i}` })
  for (let i = 0; i < most + 20; i++) rig.over(`id:${i}`)
  assert.deepEqual([rig.over(), rig.incident.state], [[], 'open'])
  assert.equal(rig.incident.things.length, most + 1)
})

test('times move with the wall clock', () => {
  const rig = new IncidentRig(TWO)
  const jumpMs = -86_400_000
  rig.facts = { ...rig.facts, wallMs: rig.facts.wallMs + jumpMs }
  assert.deepEqual(rig.step({ type: 'moved', since: 0, ms: jumpMs }), [])
  assert.deepEqual([rig.after(4.9), rig.after(0.1)], [[], ['escalated', 'bob: NAS down [2]']])
  assert.equal(rig.incident.timeline[0]?.at, rig.incident.openedAt)
})

test('the timeline has the message of each text', () => {
  const rig = new IncidentRig(['0 ada bob'])
  const told = rig.incident.timeline.filter(({ event }) => event === 'told')
  assert.deepEqual(
    told.map(({ personId, messageId }) => messageId?.startsWith(personId ?? '-')),
    [true, true],
  )
})

test('an alert that must join an incident that nobody took opens it again', () => {
  const rig = new IncidentRig(TWO, { severity: 'critical' })
  rig.owner('next')
  for (let i = 0; i < 3; i++) rig.owner('next')
  assert.equal(rig.incident.state, 'unanswered')
  assert.deepEqual(rig.join({ key: 'id:fire', text: 'FIRE' }), ['escalated', 'ada: Still: FIRE [2]'])
  assert.deepEqual([rig.incident.state, rig.incident.round, rig.incident.severity], ['open', 1, 'critical'])
  assert.deepEqual([rig.over(), rig.over('id:fire').at(0)], [[], 'closed'])
})

test('an incident that makes room for another ends in silence', () => {
  const rig = new IncidentRig(TWO)
  assert.deepEqual(rig.step({ type: 'dropped' }), ['closed'])
  assert.deepEqual(
    [rig.incident.closedBy, rig.incident.dueAt, rig.step({ type: 'dropped' })],
    [null, null, []],
  )
})

test('who was told long ago hears the end, though the timeline has only a text that still waits', () => {
  const rig = new IncidentRig(TWO)
  const waits = { at: 0, event: 'told', personId: 'ada', messageId: 'msg_1', detail: null } as const
  rig.facts = { ...rig.facts, isWaiting: id => id === 'msg_1' }
  const end = (texts: number) => {
    rig.incident = { ...rig.incident, state: 'open', timeline: [waits], heard: { ada: texts }, told: ['ada'] }
    return stepIncident(rig.incident, { type: 'over', key: 'id:nas', text: 'NAS up' }, rig.facts)
  }
  assert.equal(end(2).effects.filter(({ type }) => type === 'tell').length, 1)
  assert.deepEqual(end(1).incident.told, [])
})
