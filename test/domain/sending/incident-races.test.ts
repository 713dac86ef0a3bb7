/** Incidents at moments in which two things happen at once. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { COMMANDS } from '#domain/command-table.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { endRings } from '#domain/ring-people.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { refusal } from '#test/kit/webhook-world.ts'

const MINUTE = 60_000

test('the number of a closed incident rests for an hour, also when the clock is set forward', () => {
  const { alarm, says, world, incidents } = startIncidents()
  alarm()
  says('ada', '2 done')
  world.wallMs += 2 * 60 * MINUTE
  world.advance(1000)
  alarm('pump')
  assert.deepEqual(
    incidents().map(({ number }) => number),
    [2, 3],
  )
  world.advance(60 * MINUTE)
  alarm('boiler')
  assert.equal(incidents().at(-1)?.number, 2)
})

test('a ring that waits for its turn does not begin once somebody has the incident', () => {
  const { alarm, frames, world, incidents, accountId } = startIncidents({ ring: true })
  alarm()
  alarm('pump')
  const rings = () => frames().filter(({ type }) => type === 'ring')
  assert.equal(rings().length, 1)
  const list = mock.method(COMMANDS, 'device.list', (inner: World) => {
    const take = { type: 'owner', verb: 'take', personId: null, minutes: null } as const
    changeIncident(inner, incidents()[1] as Incident, take)
    const [first] = inner.fleet.rings
    inner.fleet.rings = inner.fleet.rings.map(ring => (ring === first ? { ...ring, outcome: 'rang' } : ring))
    endRings(inner, first?.ringId ?? '')
    return []
  })
  world.ask('device.list', { accountId })
  list.mock.restore()
  assert.deepEqual(rings(), [])
})

test('whoever has it hears once of another thing that joins, and never of the same one again', () => {
  const { alarm, news, says, world } = startIncidents({ fields: { gather: true } })
  alarm('nas')
  says('ada', '2')
  news()
  alarm('web1')
  assert.deepEqual(news(), ['ada: Also: DOWN web1'])
  world.advance(30_000)
  alarm('web1', {}, 'DOWN web1 since a minute')
  assert.deepEqual(news(), [])
  for (const thing of ['a', 'b', 'c', 'd']) alarm(thing)
  assert.deepEqual(news(), [])
  world.advance(2 * MINUTE)
  assert.deepEqual(news(), ['ada: Also: DOWN a', 'ada: Also: 3 down: b, c, d. 3 still down'])
})

test('an end that waits is taken back when the problem is back, and the next one is told', () => {
  const steps = [[0, ['ada']] as const, [5, ['bob']] as const]
  const it = startIncidents({ steps, fields: { gather: true } })
  const { world, alarm, over, news, says, accountId, people, incidents } = it
  const quiet = { from: '13:00', to: '14:00', below: 'critical' } as const
  const change = { quiet, timeZone: 'UTC' }
  world.ask('person.update', { accountId, id: people.bob, change })
  const mild = { severity: 'warning' } as const
  alarm('nas', mild)
  alarm('web', mild)
  world.advance(5 * MINUTE)
  says('ada', '2')
  world.advance(60 * MINUTE)
  news()
  over('nas')
  over('web')
  assert.deepEqual(
    news().map(text => text.slice(0, 16)),
    ['ada: 2 up again:', 'bob: 2 up again:'],
  )
  const sent = () => {
    it.sendOffered()
    const rows = world.database.prepare("SELECT phone_number, text FROM message WHERE status = 'sent'").all()
    return rows.map(({ phone_number: number, text }) => `${String(number).slice(-1)} ${text}`)
  }
  const before = sent().length
  world.advance(10 * MINUTE)
  alarm('web', mild)
  assert.deepEqual(incidents()[1]?.told, [people.ada, people.bob])
  world.advance(50 * MINUTE)
  assert.ok(!sent().some(text => text.startsWith('2 2 up')), 'what is down again is told as up')
  over('web')
  const ends = sent().slice(before)
  const up = ends.filter(text => /up/i.test(text))
  assert.deepEqual(up, ['2 2 up again: web, nas', '1 UP web'])
})

test('whose end was taken back hears the next one, also if no phone was there in between', () => {
  const { alarm, over, connect, disconnect, send, world } = startIncidents({ isSlow: true })
  const queued = () => world.database.prepare("SELECT id, text FROM message WHERE status = 'queued'").all()
  alarm()
  const text = { messageId: String(queued()[0]?.['id']), attempt: 1 }
  send({ type: 'begin', ...text })
  send({ type: 'report', ...text, state: 'sent', code: null, detail: null, at: null })
  disconnect()
  world.advance(3 * MINUTE)
  over()
  alarm()
  over()
  connect()
  assert.deepEqual(
    queued().map(one => one['text']),
    ['UP nas'],
  )
})

test('an end of which somebody is still to hear is not told once its thing is down again', () => {
  const it = startIncidents({ steps: [[0, ['bob']] as const], fields: { gather: true } })
  const { world, alarm, over, news, accountId, people } = it
  const quiet = { from: '13:00', to: '14:00', below: 'critical' } as const
  world.ask('person.update', { accountId, id: people.bob, change: { quiet, timeZone: 'UTC' } })
  const mild = { severity: 'warning' } as const
  alarm('nas', mild)
  alarm('web', mild)
  world.advance(65 * MINUTE)
  over('nas')
  over('web')
  assert.match(news().at(-1) ?? '', /^bob: 2 up again/)
  world.advance(2 * MINUTE)
  alarm('nas', mild)
  world.advance(2 * MINUTE)
  alarm('web', mild)
  over('nas')
  const last = news().at(-1) ?? ''
  assert.match(last, /^bob: UP nas/)
  assert.doesNotMatch(last, /web/)
})

test('an end that the cap keeps from recipients is in the summary, and opens nothing', () => {
  const recipients = [{ phoneNumber: '+14155550123', country: 'US' }]
  const fields = { maxPerHour: 1, summarizeOverflow: true, recipients }
  const { alarm, over, news, world, incidents } = startIncidents({ fields })
  alarm()
  news()
  over()
  assert.deepEqual(news(), ['ada: UP nas'])
  world.advance(61 * MINUTE)
  assert.deepEqual(news(), ['+14155550123: 1 more alert held back. Last: UP nas'])
  assert.equal(incidents().length, 1)
})

test('what joined an incident silently gets its own if that is closed before the text of the storm', () => {
  const { alarm, news, says, world, incidents } = startIncidents({ fields: { gather: true } })
  for (const thing of ['A', 'B', 'C', 'D', 'E', 'F']) alarm(thing)
  says('ada', '2 done')
  news()
  world.advance(MINUTE)
  assert.deepEqual(news(), ['ada: 2 down: E, F. 4 still down\nReply 3: I take it'])
  // She closes what she was told of by an incident of its own.
  says('ada', '3 done')
  alarm('G')
  says('ada', '4 done')
  news()
  world.advance(2 * MINUTE)
  assert.deepEqual(news(), [])
  // Of a group that joined, the end is heard by the new incident, too.
  alarm('H')
  const of = (isOver: boolean) => ({
    key: 'group',
    subject: 'HostDown',
    things: [{ key: 'group#web1', name: 'web1', isOver }],
  })
  alarm('group', of(false))
  says('ada', '5 done')
  news()
  world.advance(4 * MINUTE)
  assert.deepEqual(news(), ['ada: 2 down: H, web1. 7 still down\nReply 6: I take it'])
  alarm('group', { ...of(true), state: 'recovered' }, 'UP group')
  assert.deepEqual(news(), ['ada: UP group'])
  assert.deepEqual(incidents().filter(({ state }) => state !== 'closed').length, 0)
})

test('what the cap held back is told to the people of the policy, although it is over by then', () => {
  const fields = { maxPerHour: 1, summarizeOverflow: true }
  const { alarm, over, news, world } = startIncidents({ fields })
  alarm()
  world.advance(MINUTE)
  refusal(() => alarm('X'))
  over('X')
  world.advance(58 * MINUTE)
  news()
  world.advance(MINUTE)
  const summary = '1 more alert held back. Still down: nas. Last: DOWN X'
  assert.deepEqual(news(), [`ada: ${summary}\nReply 4: I take it`])
})

test('that a webhook is heard again is told after its incident ended by itself, too', () => {
  const { alarm, news, world, incidents } = startIncidents({ fields: { silentAfterMinutes: 5 } })
  world.advance(6 * MINUTE)
  alarm()
  world.advance(6 * MINUTE)
  world.advance(25 * 60 * MINUTE)
  news()
  assert.deepEqual([incidents()[2]?.key, incidents()[2]?.closedBy], ['roost:silent', null])
  alarm()
  assert.deepEqual(news().slice(0, 2), ['ada: OK alerts: heard again', 'bob: OK alerts: heard again'])
})
