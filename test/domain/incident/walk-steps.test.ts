import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'

const TWO = ['0 ada', '5 bob']

test('steps come in time, then the next round, then everybody hears that nobody took it', () => {
  const rig = new IncidentRig(TWO)
  assert.deepEqual(rig.after(4.9), [])
  assert.deepEqual(rig.after(0.1), ['escalated', 'bob: NAS down [2]'])
  assert.deepEqual(rig.after(9.9), [])
  assert.deepEqual(rig.after(0.1), ['escalated', 'ada: Still: NAS down [2]'])
  assert.deepEqual(rig.after(5), ['escalated', 'bob: Still: NAS down [2]'])
  const people = ['ada', 'bob', 'carol'].map(one => `${one}: Nobody took: NAS down [2]`)
  assert.deepEqual(rig.after(10), ['unanswered', 'alarm', ...people])
  assert.deepEqual([rig.incident.state, rig.incident.number], ['unanswered', 2])
  rig.facts = { ...rig.facts, canSendNow: false }
  assert.deepEqual([rig.after(24 * 60 - 1), rig.after(1)], [[], ['closed']])
  assert.deepEqual([rig.incident.state, rig.incident.closedBy], ['closed', null])
})

test('an open incident says who is told next, and when', () => {
  const rig = new IncidentRig(['0 ada', '5 bob!'])
  const begin = rig.facts.wallMs
  const said = () => {
    const { next } = describeIncident(rig.incident)
    return next && [(Date.parse(next.at) - begin) / 60_000, next.tell, next.ring]
  }
  assert.deepEqual(said(), [5, ['bob'], true])
  rig.owner('next')
  assert.deepEqual(said(), [10, ['ada'], false])
  rig.after(10)
  assert.deepEqual(said(), [15, ['bob'], true])
  rig.after(5)
  assert.deepEqual(said(), [25, [], false])
  rig.owner('take')
  assert.equal(said(), null)
  const rehearsal = new IncidentRig(TWO, { isRehearsal: true })
  assert.equal(describeIncident(rehearsal.incident).next?.at, new Date(begin + 10_000).toISOString())
  rehearsal.after(1 / 6)
  assert.deepEqual(describeIncident(rehearsal.incident).next?.tell, [])
})

test('the next step comes at once when every text of a step failed for good', () => {
  const rig = new IncidentRig(['0 ada bob', '5 carol'])
  const [ada = '', bob = ''] = rig.incident.pending.map(({ messageId }) => messageId)
  assert.deepEqual(rig.step({ type: 'text-failed', messageId: ada }), [])
  assert.deepEqual(rig.step({ type: 'text-failed', messageId: ada }), [])
  assert.deepEqual(rig.step({ type: 'text-failed', messageId: bob }), ['escalated', 'carol: NAS down [2]'])
  assert.match(rig.happenings(), /failed ada, failed bob, escalated, told carol/)
})

test('after the last step the next round waits its ten minutes, also when every text failed', () => {
  const rig = new IncidentRig(['0 ada'])
  const [text] = rig.incident.pending
  assert.deepEqual(rig.step({ type: 'text-failed', messageId: text?.messageId ?? '' }), [])
  assert.deepEqual(rig.after(9), [])
  assert.deepEqual(rig.after(1), ['escalated', 'ada: Still: NAS down [2]'])
})

test('a step that reaches nobody gives way to the next one', () => {
  const resolve = (target: string) => (target === 'gone' ? [] : [target])
  const rig = new IncidentRig(['0 gone', '5 bob', '9 gone'], {}, { resolve })
  assert.deepEqual(rig.opening, ['opened', 'escalated', 'bob: NAS down [2]'])
  assert.deepEqual(rig.after(4), [])
  assert.deepEqual(rig.after(10), ['escalated', 'bob: Still: NAS down [2]'])
  assert.match(rig.happenings(), /^opened, nobody, escalated, told bob, nobody, nobody, escalated/)
})

test('overdue steps wait for a phone, run once together, and never two rounds at once', () => {
  const rig = new IncidentRig(['0 ada', '5 bob', '10 bob carol', '30 ada'])
  rig.facts = { ...rig.facts, canSendNow: false }
  assert.deepEqual(rig.after(12), [])
  rig.facts = { ...rig.facts, canSendNow: true }
  assert.deepEqual(rig.after(0), ['escalated', 'bob: NAS down [2]', 'carol: NAS down [2]'])
  assert.deepEqual(rig.after(0), [])
  assert.deepEqual(rig.after(19), [])
  assert.deepEqual(rig.after(1), ['escalated', 'ada: Still: NAS down [2]'])
  assert.deepEqual(rig.after(6000), ['escalated', 'ada: Still: NAS down [2]'])
})

test('quiet people are left out; a step in which all are quiet waits for the first', () => {
  const rig = new IncidentRig(['0 ada bob', '5 carol'])
  const { wallMs } = rig.facts
  const until = new Map([
    ['carol', wallMs + 60 * 60_000],
    ['ada', wallMs + 200 * 60_000],
  ])
  const quietUntil = (id: string) => {
    const end = until.get(id) ?? 0
    return end > rig.facts.wallMs ? end : null
  }
  rig.facts = { ...rig.facts, quietUntil }
  assert.deepEqual(rig.after(59), [])
  assert.equal(rig.incident.dueAt, until.get('carol'))
  assert.deepEqual(rig.after(1), ['escalated', 'carol: NAS down [2]'])
  assert.deepEqual(rig.after(10), ['escalated', 'bob: Still: NAS down [2]'])
})

test('what gets worse is told though its step waits for the morning', () => {
  const rig = new IncidentRig(
    TWO,
    {},
    { quietUntil: (_, severity) => (severity === 'critical' ? null : 9e14) },
  )
  assert.deepEqual([rig.opening, rig.happenings()], [['opened'], 'opened, quiet'])
  assert.deepEqual(rig.join({ severity: 'critical', text: 'NAS burns' }), ['ada: NAS burns [2]'])
})

test('what ends it waits for the end of quiet hours', () => {
  const rig = new IncidentRig(['0 ada bob', '5 carol'])
  rig.facts = {
    ...rig.facts,
    quietUntil: (id, severity) => (id !== 'ada' && severity !== 'critical' ? 9e14 : null),
  }
  assert.deepEqual(rig.answer('ada', 'take').slice(1), ['taken', 'bob: Ada has it: NAS down later'])
  assert.deepEqual(rig.over(), ['closed', 'ada: NAS up', 'bob: NAS up later'])
  const left = new IncidentRig(['0 ada'], {}, rig.facts)
  left.owner('next')
  const [, , ada, bob] = left.owner('next')
  assert.deepEqual([ada, bob], ['ada: Nobody took: NAS down [2]', 'bob: Nobody took: NAS down [2] later'])
})

test('after 20 texts a last one says so, after six to one person, too; after 10 rings none rings', () => {
  const people = ['ada', 'bob', 'carol', 'dora']
  const rig = new IncidentRig([`0 ${people.join(' ')}!`])
  const lines: string[] = [...rig.opening]
  const takeAndLeave = (times: number) => {
    for (let i = 0; i < times; i++) {
      rig.owner('take')
      lines.push(...rig.after(240))
    }
  }
  takeAndLeave(3)
  const textsTo = (...names: string[]) =>
    lines.filter(one => names.some(name => one.startsWith(`${name}: `) && !one.includes('has it')))
  takeAndLeave(60)
  assert.equal(rig.incident.texts, 21)
  assert.ok(people.every(name => textsTo(name).length <= 6))
  assert.match(textsTo(...people).at(-1) ?? '', /: No more texts about this\. Still: NAS down \[2]$/)
  const one = new IncidentRig(['0 ada'])
  for (let i = 0; i < 60; i++) {
    one.answer('ada', 'take', 1)
    one.after(1)
  }
  assert.deepEqual([one.incident.texts, one.incident.heard], [7, { ada: 7 }])
  assert.equal(lines.filter(one => one.startsWith('ring ')).length, 10)
  assert.ok(rig.incident.timeline.length <= 200)
  assert.equal(rig.incident.timeline[0]?.event, 'opened')
  assert.deepEqual(rig.over(), ['hang-up', 'closed', ...people.map(name => `${name}: NAS up`)])
})

test('twice the people of the policy hear of it, where these are more than 20', () => {
  const people = Array.from({ length: 15 }, (_, i) => `p${i}`)
  const resolve = (target: string) => (target === 'everyone' ? people : [target])
  const rig = new IncidentRig([`0 ${people.join(' ')}`, `5 ${people.join(' ')}`], {}, { resolve })
  rig.after(5)
  assert.equal(rig.incident.texts, 30)
  rig.after(10)
  assert.equal(rig.incident.texts, 31)
})

test('the bound of a person is said in one last text; ends have a bound of their own', () => {
  const last = new IncidentRig(['0 ada bob'], {}, { canTell: id => (id === 'ada' ? 'last-of-hour' : 'no') })
  assert.deepEqual(last.opening, ['opened', 'ada: No more texts for an hour. NAS down [2]'])
  const none = new IncidentRig(['0 ada'])
  none.facts = { ...none.facts, canTell: (_, { isEnd }) => (isEnd ? 'yes' : 'no') }
  assert.deepEqual([none.after(10), none.over()], [['escalated'], ['closed', 'ada: NAS up']])
  const many = new IncidentRig(['0 ada'], {}, { canTell: (_, { isEnd }) => (isEnd ? 'no' : 'yes') })
  assert.deepEqual(many.over(), ['closed'])
})

test('a rehearsal walks its steps every 10 s, once, and each text begins with TEST', () => {
  const rig = new IncidentRig(TWO, {
    isRehearsal: true,
    webhookId: null,
    text: 'Night: rehearsal',
    severity: null,
  })
  assert.deepEqual(rig.opening, ['opened', 'ada: TEST Night: rehearsal [2]'])
  assert.deepEqual(rig.after(1 / 6), ['escalated', 'bob: TEST Night: rehearsal [2]'])
  assert.deepEqual(rig.after(1 / 6), [
    'unanswered',
    ...['ada', 'bob', 'carol'].map(one => `${one}: TEST Nobody took: Night: rehearsal`),
    'closed',
  ])
  assert.deepEqual([rig.incident.state, rig.answer('bob', 'take')], ['closed', []])
  const taken = new IncidentRig(TWO, { isRehearsal: true })
  assert.deepEqual(taken.answer('ada', 'take'), ['reply ada: TEST Yours: NAS down', 'taken'])
  assert.deepEqual([taken.after(0.3), taken.after(0.1)], [[], ['closed']])
})

test('the steps after one that waited for the morning keep their distance, also when the clock jumps', () => {
  const rig = new IncidentRig(TWO, {}, { quietUntil: id => (id === 'ada' ? 9e14 : null) })
  rig.facts = { ...rig.facts, wallMs: 9e14, quietUntil: () => null }
  assert.deepEqual(rig.after(0), ['ada: NAS down [2]'])
  assert.deepEqual([rig.after(4), rig.after(1)], [[], ['escalated', 'bob: NAS down [2]']])
  const jumped = new IncidentRig(TWO, {}, { quietUntil: id => (id === 'ada' ? 9e14 : null) })
  jumped.facts = { ...jumped.facts, wallMs: 1e13, quietUntil: () => null }
  jumped.step({ type: 'moved', since: 0, ms: 1e13 })
  assert.equal(jumped.incident.dueAt, 1e13)
  assert.deepEqual([jumped.after(0), jumped.after(4)], [['ada: NAS down [2]'], []])
})

test('texts of an earlier step do not matter when those of the last one failed', () => {
  const rig = new IncidentRig(['0 ada', '5 bob', '20 carol'])
  rig.after(5)
  const [text, ...more] = rig.incident.pending
  assert.deepEqual([text?.personId, more], ['bob', []])
  const lines = rig.step({ type: 'text-failed', messageId: text?.messageId ?? '' })
  assert.deepEqual(lines, ['escalated', 'carol: NAS down [2]'])
})

test('the first text of each end is free for those who were told; further ones count', () => {
  const rig = new IncidentRig(['0 ada bob'])
  const texts = [rig.incident.texts]
  for (const personId of ['ada', 'bob']) {
    rig.answer(personId, 'take', 1)
    texts.push(rig.incident.texts)
    rig.after(1)
  }
  assert.deepEqual(texts, [2, 2, 5])
  const left = new IncidentRig(['0 ada'])
  left.owner('next')
  assert.deepEqual([left.owner('next').length, left.incident.texts], [5, 4])
  left.answer('ada', 'take', 1)
  left.after(1)
  left.owner('next')
  left.owner('next')
  assert.deepEqual([left.incident.state, left.incident.texts], ['unanswered', 9])
})

test('a step with nobody left ends the round if the steps after it are for people who heard at once', () => {
  const rig = new IncidentRig(['0 bob', '5 bob', '10 carol'], { atOnce: ['carol'] })
  assert.deepEqual(rig.opening, ['opened', 'bob: NAS down [2]', 'carol: NAS down [2]'])
  rig.answer('bob', 'no')
  assert.deepEqual(rig.after(15), ['escalated', 'bob: Still: NAS down [2]'])
})

test('the first round does not pass over a recipient whose text failed, or was held back', () => {
  const steps = ['0 bob', '5 carol', '10 ada']
  const failed = new IncidentRig(steps, { atOnce: ['carol'] })
  const text = failed.incident.timeline.find(({ personId }) => personId === 'carol')
  failed.after(2)
  failed.step({ type: 'text-failed', messageId: text?.messageId ?? '' })
  assert.deepEqual([failed.after(2.9), failed.after(0.1)], [[], ['escalated', 'carol: Still: NAS down [2]']])
  assert.deepEqual(failed.after(5), ['escalated', 'ada: NAS down [2]'])
  const late = new IncidentRig(steps, { atOnce: ['carol'] })
  assert.deepEqual([late.after(5), late.after(2)], [[], []])
  late.step({ type: 'text-failed', messageId: text?.messageId ?? '' })
  assert.deepEqual(late.after(0), ['escalated', 'carol: Still: NAS down [2]'])
  const held = new IncidentRig(
    steps,
    { atOnce: ['carol'] },
    { canTell: id => (id === 'carol' ? 'no' : 'yes') },
  )
  held.facts = { ...held.facts, canTell: () => 'yes' }
  assert.deepEqual(held.after(5), ['escalated', 'carol: NAS down [2]'])
})

test('a recipient whom no step names now hears at once, also in quiet hours', () => {
  const quietUntil = (id: string) => (id === 'carol' ? 1e15 : null)
  const open = (...steps: string[]) => new IncidentRig(steps, { atOnce: ['carol'] }, { quietUntil }).opening
  assert.deepEqual(open('0 bob'), ['opened', 'bob: NAS down [2]', 'carol: NAS down [2]'])
  assert.deepEqual(open('0 bob', '5 carol'), ['opened', 'bob: NAS down [2]'])
})
