import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as v from 'valibot'
import { NotificationEvent } from '#contracts/notification-event.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { NO_FACTS } from '#test/kit/webhook-world.ts'

const MINUTE = 60_000
const ASKS = '\nReply 2: I take it'

test('an alarm goes to the first person, then to the second, who takes it, until it is over', () => {
  const { alarm, over, says, news, world, incidents } = startIncidents()
  const { incidentId, messages } = alarm()
  assert.deepEqual(messages, [])
  assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`])
  const again = alarm()
  assert.deepEqual([again.duplicate, again.incidentId], [true, incidentId])
  assert.deepEqual(news(), [])
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  says('eve', '2')
  assert.deepEqual(news(), [])
  says('bob', 'OK!')
  assert.deepEqual(news(), ['bob: Yours: DOWN nas', 'ada: Bob has it: DOWN nas'])
  world.advance(60 * MINUTE)
  assert.deepEqual(news(), [])
  assert.equal(over().incidentId, incidentId)
  assert.deepEqual(news(), ['ada: UP nas', 'bob: UP nas'])
  const [closed] = incidents()
  assert.deepEqual([closed?.state, closed?.closedBy], ['closed', 'sender'])
})

test('what no phone was told to send is taken back when somebody has it, or it is over', () => {
  const stateOf = ({ world }: ReturnType<typeof startIncidents>) =>
    world.database
      .prepare('SELECT text, status, failure FROM message ORDER BY serial')
      .all()
      .map(row => [
        String(row['text']).split(ASKS)[0],
        row['status'],
        JSON.parse(String(row['failure']))?.code,
      ])
  const taken = startIncidents({ isSlow: true, steps: [[0, ['ada', 'bob']]] })
  const incidentId = taken.alarm().incidentId ?? ''
  taken.world.ask('incident.take', { accountId: taken.accountId, incidentId, personId: null, minutes: null })
  assert.deepEqual(stateOf(taken), Array(2).fill(['DOWN nas', 'failed', 'CANCELLED']))
  taken.over()
  assert.equal(taken.news().length, 2, 'whom nothing reached hears no end')

  const it = startIncidents()
  it.alarm()
  it.sendOffered()
  it.world.advance(5 * MINUTE)
  it.trigger('UP nas', { ...NO_FACTS, key: 'thing:nas', subject: 'nas', state: 'recovered' })
  assert.deepEqual(it.news(), [`ada: DOWN nas${ASKS}`, `bob: DOWN nas${ASKS}`, 'ada: UP nas'])
  assert.deepEqual(stateOf(it), [
    ['DOWN nas', 'sent', undefined],
    ['DOWN nas', 'failed', 'CANCELLED'],
    ['UP nas', 'sent', undefined],
  ])
})

test('nobody answers: two rounds, and then everybody is told', () => {
  const { alarm, news, world, incidents } = startIncidents()
  alarm()
  news()
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  world.advance(10 * MINUTE)
  assert.deepEqual(news(), [`ada: Still: DOWN nas${ASKS}`])
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [`bob: Still: DOWN nas${ASKS}`])
  world.advance(10 * MINUTE)
  assert.deepEqual(news(), [`ada: Nobody took: DOWN nas${ASKS}`, `bob: Nobody took: DOWN nas${ASKS}`])
  world.advance(24 * 60 * MINUTE - 1)
  assert.equal(incidents()[0]?.state, 'unanswered')
  world.advance(1)
  assert.deepEqual([news(), incidents()[0]?.state, incidents()[0]?.closedBy], [[], 'closed', null])
})

test('alerts about one thing join, and a worse one is told once more', () => {
  const { alarm, news, incidents } = startIncidents()
  const first = alarm('nas', { severity: 'warning' })
  news()
  assert.equal(alarm('nas', { severity: 'info' }, 'still DOWN nas').incidentId, first.incidentId)
  assert.deepEqual(news(), [])
  alarm('nas', { severity: 'critical' }, 'FIRE nas')
  assert.deepEqual(news(), [`ada: FIRE nas${ASKS}`])
  const [one, ...others] = incidents()
  assert.deepEqual([one?.alerts, one?.severity, others.length], [3, 'critical', 0])
})

test('the cap refuses what opens an incident, never what joins or ends one', () => {
  const { alarm, over, news, incidents } = startIncidents({ fields: { maxPerHour: 1 } })
  alarm('nas')
  assert.throws(() => alarm('router'), { code: 'RATE_LIMIT_EXCEEDED' })
  alarm('nas', {}, 'still DOWN nas')
  news()
  over('nas')
  assert.deepEqual(news(), ['ada: UP nas'])
  assert.deepEqual(
    incidents().map(({ state, alerts }) => [state, alerts]),
    [['closed', 2]],
  )
})

test('a recovery that no recipient wants to hear of closes its incident', () => {
  const { alarm, over, news } = startIncidents({ fields: { sendRecovered: false, recipients: [RECIPIENT] } })
  assert.equal(alarm().messages.length, 1)
  news()
  const { triggered, reason, incidentId } = over()
  assert.deepEqual([triggered, reason, incidentId !== null], [false, 'FILTERED', true])
  assert.deepEqual(news(), ['ada: UP nas'])
})

const RECIPIENT = { phoneNumber: '+14155550123', country: 'US' }

test('the quota of the day stops no text of an incident', () => {
  const { alarm, news } = startIncidents({ plan: 'free', fields: { recipients: [RECIPIENT] } })
  for (let i = 1; i <= 15; i++) assert.equal(alarm(`thing ${i}`).messages.length, i <= 5 ? 1 : 0)
  assert.equal(news().filter(text => text.startsWith('ada')).length, 15)
})

describe('a burst', () => {
  test('of 40 monitors is one incident, which is over with the last of them', () => {
    const { alarm, over, news, world, incidents, says } = startIncidents({ fields: { gather: true } })
    const answers = Array.from({ length: 40 }, (_, i) => alarm(`m${i + 1}`))
    assert.equal(new Set(answers.map(({ incidentId }) => incidentId)).size, 1)
    assert.deepEqual(
      news(),
      [1, 2].map(i => `ada: DOWN m${i}${ASKS}`),
    )
    world.advance(MINUTE)
    const [early, summary, ...others] = news()
    assert.equal(early, `ada: 2 alerts: m3, m4${ASKS}`)
    assert.match(String(summary), /^ada: 36 down: m5, .*\nReply 2: I take it$/s)
    assert.deepEqual(others, [])
    says('ada', '2')
    news()
    for (let i = 1; i <= 40; i++) over(`m${i}`)
    const [end, ...more] = news()
    assert.match(String(end), /^ada: 40 up again: m1, m2, .*, m39, m40$/)
    assert.deepEqual(more, [])
    const [one, ...rest] = incidents()
    assert.deepEqual([one?.state, one?.alerts, rest.length], ['closed', 40, 0])
  })

  test('alerts with a minute between them are incidents of their own', () => {
    const { alarm, world, incidents } = startIncidents({ fields: { gather: true } })
    alarm('nas')
    world.advance(61_000)
    alarm('router')
    assert.deepEqual(
      incidents().map(({ number }) => number),
      [2, 3],
    )
  })
})

test('a restart loses no step and repeats none, wherever it comes', () => {
  const { alarm, news, world, connect } = startIncidents()
  alarm()
  const texts = []
  for (let minute = 1; minute <= 40; minute++) {
    world.restart()
    connect()
    world.advance(MINUTE)
    texts.push(...news().map(text => `${minute} ${text.replace(ASKS, '')}`))
  }
  assert.deepEqual(texts, [
    '1 ada: DOWN nas',
    '5 bob: DOWN nas',
    '15 ada: Still: DOWN nas',
    '20 bob: Still: DOWN nas',
    '30 ada: Nobody took: DOWN nas',
    '30 bob: Nobody took: DOWN nas',
  ])
})

test('what the cap held back is an incident of its own, with its summary', () => {
  const { alarm, news, world, incidents } = startIncidents({
    fields: { maxPerHour: 1, summarizeOverflow: true },
  })
  alarm('nas')
  news()
  assert.throws(() => alarm('router'), { code: 'RATE_LIMIT_EXCEEDED' })
  assert.match(news()[0] ?? '', /^ada: alerts: more than 1 alerts in an hour; .*\nReply 3: I take it$/s)
  world.advance(61 * MINUTE)
  assert.ok(news().some(text => text.includes('DOWN router')))
  assert.deepEqual(
    incidents().map(({ key }) => key),
    ['thing:nas', 'roost:overflow', 'roost:overflow'],
  )
})

test('the silence of a webhook is an incident, which the next alert ends', () => {
  const { alarm, news, world } = startIncidents({ fields: { silentAfterMinutes: 5 } })
  world.advance(6 * MINUTE)
  assert.deepEqual(news(), [`ada: SILENT alerts: nothing since 12:00 UTC${ASKS}`])
  alarm()
  assert.deepEqual(news(), ['ada: OK alerts: heard again', 'ada: DOWN nas\nReply 3: I take it'])
})

test('a step rings twice, until somebody takes it', () => {
  const { alarm, frames, says, send, world, incidents } = startIncidents({ ring: true })
  frames()
  alarm()
  const rings = () =>
    frames().flatMap(frame =>
      frame.type === 'ring' || frame.type === 'stop-ring' ? [`${frame.type} ${frame.ringId}`] : [],
    )
  const [first, ...others] = rings()
  assert.match(String(first), /^ring inc_/)
  assert.deepEqual(others, [])
  send({ type: 'rang', ringId: String(first?.slice(5)), outcome: 'busy' })
  world.advance(90_000)
  const [second] = rings()
  assert.match(String(second), /^ring inc_/)
  says('ada', 'ok')
  assert.deepEqual(rings(), [`stop-${second}`])
  send({ type: 'rang', ringId: String(second?.slice(5)), outcome: 'rang' })
  world.advance(30 * MINUTE)
  assert.deepEqual(rings(), [])
  const happened = incidents()[0]?.timeline.map(({ event }) => event)
  assert.deepEqual(happened?.slice(0, 6), ['opened', 'told', 'ringing', 'busy', 'ringing', 'taken'])
})

test('in quiet hours the end waits for the morning, and only the hours of a step ring', () => {
  const steps = (ringHours: { from: string; to: string }) => [
    { afterMinutes: 0, tell: [it.people.ada], ring: true, ringHours },
  ]
  const it = startIncidents({ ring: true })
  const { world, alarm, over, sendOffered, accountId, policyId, people } = it
  const quiet = { from: '13:00', to: '14:00', below: 'critical' } as const
  const zone = { timeZone: 'UTC' }
  world.ask('person.update', { accountId, id: people.ada, change: { quiet, ...zone } })
  world.ask('policy.update', {
    accountId,
    id: policyId,
    change: { steps: steps({ from: '12:30', to: '11:00' }) },
  })
  it.frames()
  alarm('nas', { severity: 'warning' })
  const rings = () => it.frames().filter(({ type }) => type === 'ring').length
  assert.equal(rings(), 0)
  it.says('ada', '2')
  world.advance(65 * MINUTE)
  over()
  const sent = () => {
    sendOffered()
    return world.database.prepare("SELECT text FROM message WHERE status = 'sent' AND text LIKE 'UP%'").all()
      .length
  }
  assert.equal(sent(), 0)
  world.advance(55 * MINUTE)
  assert.equal(sent(), 1)
  alarm('web')
  assert.equal(rings(), 1)
})

test('each change is an event, and news for open pages', () => {
  const { alarm, over, says, world, accountId } = startIncidents({ fields: { recipients: [RECIPIENT] } })
  const wanted = ['incident.opened', 'incident.taken', 'incident.closed'] as const
  world.ask('notification.set', { accountId, url: 'https://receiver.test/', events: [...wanted] })
  world.ask('live.join', { accountId, listener: 1, socket: 9 })
  world.effects.length = 0
  const { incidentId } = alarm()
  says('ada', '2')
  over()
  const news = world.effects.flatMap(one => (one.kind === 'news' ? [one.news] : []))
  assert.equal(news.filter(({ type, id }) => type === 'incident' && id === incidentId).length, 3)
  const bodies = world.database.prepare('SELECT body FROM notification_delivery ORDER BY seq').all()
  const events = bodies.map(({ body }) => v.parse(NotificationEvent, JSON.parse(String(body))))
  assert.deepEqual(
    events.map(({ event }) => event),
    wanted,
  )
})

test('each text about an incident says whether its words of the alert are a guess', () => {
  const { triggerAt, token, says, world } = startIncidents()
  const told = { key: 'thing:nas', subject: 'nas', severity: null, isUrgent: false } as const
  triggerAt(token, 'nas dropped out', { guess: true, facts: { ...told, state: 'firing' } })
  world.advance(5 * MINUTE)
  says('bob', '2')
  triggerAt(token, 'UP nas', { facts: { ...told, state: 'recovered' } })
  const rows = world.database.prepare('SELECT text, guess FROM message ORDER BY id').all()
  assert.deepEqual(
    rows.map(({ text, guess }) => `${text}: ${guess}`),
    [
      `nas dropped out${ASKS}: 1`,
      `nas dropped out${ASKS}: 1`,
      'Yours: nas dropped out: 1',
      'Bob has it: nas dropped out: 1',
      'UP nas: 0',
      'UP nas: 0',
    ],
  )
})
