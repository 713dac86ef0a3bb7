/** People whom a webhook names beside its policy: nobody reads an alert twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PEOPLE, startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000
const ASKS = '\nReply 2: I take it'

function numbers(...nicks: (keyof typeof PEOPLE)[]) {
  return nicks.map(nick => ({ phoneNumber: PEOPLE[nick], country: 'US' }))
}

function start(fields: { readonly gather?: boolean } = {}) {
  const it = startIncidents()
  const { ada, eve } = it.people
  const group = { name: 'Team', people: [ada, eve] }
  const { id } = it.world.ask('group.create', { accountId: it.ids.accountId, fields: group })
  it.world.ask('webhook.update', { ...it.ids, change: { ...fields, people: [id] } })
  return it
}

test('whoever the policy tells of an alert gets no second text about it', () => {
  const { alarm, over, news, world } = start()
  alarm()
  assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`, 'eve: DOWN nas'])
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  // The same thing again joins the incident, which tells nobody. Eve is only a recipient.
  alarm('nas', {}, 'DOWN nas again')
  assert.deepEqual(news(), ['eve: DOWN nas again'])
  over()
  assert.deepEqual(news(), ['ada: UP nas', 'bob: UP nas', 'eve: UP nas'])
})

test('nor about a storm', () => {
  const { alarm, news, world } = start({ gather: true })
  for (const thing of ['a', 'b', 'c', 'd']) alarm(thing)
  const told = news()
  assert.equal(told.filter(one => one.startsWith('ada')).length, 2)
  assert.equal(told.filter(one => one.startsWith('eve')).length, 4)
  for (const thing of ['e', 'f']) alarm(thing)
  assert.deepEqual(news(), [])
  world.advance(MINUTE)
  const [early, ...storm] = news()
  assert.equal(early, `ada: 2 alerts: c, d${ASKS}`)
  assert.deepEqual(storm, [`ada: 2 down: e, f. 4 still down${ASKS}`, 'eve: 2 down: e, f. 4 still down'])
})

test('nor about silence', () => {
  const { news, world, ids } = start()
  world.ask('webhook.update', { ...ids, change: { silentAfterMinutes: 100 } })
  world.advance(101 * MINUTE)
  const text = 'SILENT alerts: nothing since 12:00 UTC'
  assert.deepEqual(
    news().filter(one => !one.startsWith('bob')),
    [`ada: ${text}${ASKS}`, `eve: ${text}`],
  )
})

test('a recipient with the number of a person of the policy is that person', () => {
  const { alarm, news, over, says, world } = startIncidents({ fields: { recipients: numbers('ada', 'eve') } })
  alarm()
  assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`, 'eve: DOWN nas'])
  world.advance(2 * MINUTE)
  alarm('nas', {}, 'DOWN nas again')
  assert.deepEqual(news(), ['eve: DOWN nas again'])
  says('ada', '2')
  assert.deepEqual(news(), ['ada: Yours: DOWN nas'])
  over()
  assert.deepEqual(news(), ['ada: UP nas', 'eve: UP nas'])
})

describe('a recipient of a later step', () => {
  const steps = [[0, ['ada']] as const, [5, ['bob']] as const, [9, ['bob', 'eve']] as const]

  test('is told at once, and by the steps only in later rounds', () => {
    const { alarm, news, world } = startIncidents({ steps, fields: { recipients: numbers('bob') } })
    alarm()
    assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`, `bob: DOWN nas${ASKS}`])
    world.advance(9 * MINUTE - 1)
    assert.deepEqual(news(), [])
    world.advance(1)
    assert.deepEqual(news(), [`eve: DOWN nas${ASKS}`])
    world.advance(15 * MINUTE)
    assert.deepEqual(news(), [`ada: Still: DOWN nas${ASKS}`, `bob: Still: DOWN nas${ASKS}`])
  })

  test('can take it; a no of the first person brings the step of those who do not know', () => {
    const { alarm, news, says } = startIncidents({ steps, fields: { recipients: numbers('bob') } })
    alarm()
    news()
    says('ada', 'no')
    assert.deepEqual(news(), ['ada: Passed on: DOWN nas', `eve: DOWN nas${ASKS}`])
    says('bob', '2')
    assert.deepEqual(news(), [
      'bob: Yours: DOWN nas',
      'ada: Bob has it: DOWN nas',
      'eve: Bob has it: DOWN nas',
    ])
  })

  test('is told by the steps when what was taken opens again', () => {
    const setup = { steps, takenForMinutes: 15, fields: { recipients: numbers('bob') } }
    const { alarm, news, says, world } = startIncidents(setup)
    alarm()
    says('ada', '2')
    world.advance(15 * MINUTE)
    news()
    world.advance(5 * MINUTE)
    assert.deepEqual(news(), [`bob: Still: DOWN nas${ASKS}`])
  })

  test('is told by the step if the text at once failed', () => {
    const setup = { steps, fields: { recipients: numbers('bob') }, isSlow: true }
    const { alarm, news, world, accountId } = startIncidents(setup)
    alarm()
    news()
    const row = world.database.prepare('SELECT id FROM message WHERE phone_number = ?').get(PEOPLE.bob)
    world.ask('message.cancel', { accountId, test: false, messageId: String(row?.['id']) })
    world.advance(5 * MINUTE)
    assert.deepEqual(news(), [`bob: Still: DOWN nas${ASKS}`])
  })

  test('who is quiet is told by the step', () => {
    const { alarm, news, world, people, accountId } = startIncidents({
      steps,
      fields: { recipients: numbers('bob') },
    })
    const quiet = { from: '11:00', to: '12:03', below: 'critical' } as const
    world.ask('person.update', { accountId, id: people.bob, change: { quiet, timeZone: 'UTC' } })
    alarm('nas', { severity: 'warning' })
    assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`])
    world.advance(5 * MINUTE)
    assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  })
})

test('groups that overlap, of webhook and policy, count once', () => {
  const it = startIncidents()
  const { accountId } = it.ids
  const { ada, bob, eve } = it.people
  const groupOf = (name: string, people: readonly string[]) =>
    it.world.ask('group.create', { accountId, fields: { name, people: [...people] } }).id
  const [first, second] = [groupOf('One', [ada, bob]), groupOf('Two', [bob, eve])]
  const steps = [{ afterMinutes: 0, tell: [first, second], ring: false }]
  it.world.ask('policy.update', { accountId, id: it.policyId, change: { steps } })
  const change = { people: [first, second], recipients: numbers('ada', 'bob') }
  it.world.ask('webhook.update', { ...it.ids, change })
  it.alarm()
  assert.deepEqual(
    it.news(),
    ['ada', 'bob', 'eve'].map(one => `${one}: DOWN nas${ASKS}`),
  )
})
