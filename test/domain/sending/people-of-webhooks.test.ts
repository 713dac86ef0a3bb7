/** People whom a webhook names beside its policy: nobody reads an alert twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000
const ASKS = '\nReply 2: I take it'

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
  // The same thing again joins the incident, which tells nobody: so all people of the webhook read it.
  alarm('nas', {}, 'DOWN nas again')
  assert.deepEqual(news(), ['ada: DOWN nas again', 'eve: DOWN nas again'])
  over()
  assert.deepEqual(news(), ['ada: UP nas', 'bob: UP nas', 'eve: UP nas'])
})

test('nor about a storm', () => {
  const { alarm, news, world } = start({ gather: true })
  for (const thing of ['a', 'b', 'c', 'd']) alarm(thing)
  const told = news()
  assert.equal(told.filter(one => one.startsWith('ada')).length, 4)
  assert.equal(told.filter(one => one.startsWith('eve')).length, 4)
  for (const thing of ['e', 'f']) alarm(thing)
  assert.deepEqual(news(), [])
  world.advance(MINUTE)
  assert.deepEqual(news(), [`ada: 2 down: e, f. 4 still down${ASKS}`, 'eve: 2 down: e, f. 4 still down'])
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

test('a number that is only a recipient is told as always', () => {
  const { alarm, news, world, ids } = startIncidents()
  world.ask('webhook.update', {
    ...ids,
    change: { recipients: [{ phoneNumber: '+14155550201', country: 'US' }] },
  })
  alarm()
  assert.deepEqual(news(), [`ada: DOWN nas${ASKS}`, 'ada: DOWN nas'])
})
