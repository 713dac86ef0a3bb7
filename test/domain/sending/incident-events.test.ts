/** Incidents when something goes wrong, or their owner acts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000
const ASKS = '\nReply 2: I take it'
const RECIPIENT = { phoneNumber: '+14155550123', country: 'US' }

test('a text that fails for good brings the next step at once', () => {
  const { alarm, news, world, frames, send } = startIncidents()
  frames()
  alarm()
  news()
  const offer = frames().find(frame => frame.type === 'offer')
  if (offer?.type !== 'offer') throw new Error('nothing was offered')
  const { messageId, attempt } = offer
  send({ type: 'begin', messageId, attempt })
  send({
    type: 'report',
    messageId,
    attempt,
    state: 'failed',
    at: null,
    code: 'GENERIC_FAILURE',
    detail: null,
  })
  world.advance(0)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
})

test('the owner takes, passes on and closes', () => {
  const { alarm, news, world, people, accountId } = startIncidents()
  const { incidentId } = alarm()
  const which = { accountId, incidentId: incidentId ?? '' }
  news()
  world.ask('incident.next', which)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  const taken = world.ask('incident.take', { ...which, personId: people.bob, minutes: 30 })
  assert.deepEqual([taken.state, taken.takenBy], ['taken', people.bob])
  assert.deepEqual(news(), ['bob: Yours: DOWN nas', 'ada: Bob has it: DOWN nas'])
  world.advance(30 * MINUTE)
  assert.deepEqual(news(), [`ada: Still: DOWN nas${ASKS}`])
  assert.equal(world.ask('incident.close', which).closedBy, 'owner')
  assert.deepEqual(news(), ['ada: Done (Owner): DOWN nas', 'bob: Done (Owner): DOWN nas'])
  for (const name of ['incident.close', 'incident.next'] as const)
    assert.throws(() => world.ask(name, which), { code: 'CONFLICT' })
  assert.throws(() => world.ask('incident.close', { ...which, accountId: 'acc_other' }), {
    code: 'NOT_FOUND',
  })
})

test('a rehearsal walks all steps in seconds', () => {
  const { news, world, policyId, accountId, incidents } = startIncidents()
  const which = { accountId, policyId }
  const { id, webhookId } = world.ask('policy.rehearse', which)
  assert.equal(webhookId, null)
  assert.throws(() => world.ask('policy.rehearse', which), { code: 'CONFLICT' })
  assert.deepEqual(news(), [`ada: TEST Night: rehearsal${ASKS}`])
  world.advance(10_000)
  assert.deepEqual(news(), [`bob: TEST Night: rehearsal${ASKS}`])
  world.advance(10_000)
  assert.deepEqual(news(), [
    'ada: TEST Nobody took: Night: rehearsal',
    'bob: TEST Nobody took: Night: rehearsal',
  ])
  assert.deepEqual([incidents()[0]?.id, incidents()[0]?.state], [id, 'closed'])
  world.ask('policy.rehearse', which)
})

test('a test of a webhook opens no incident, and needs recipients', () => {
  const bare = startIncidents()
  assert.throws(() => bare.tryWebhook(), { code: 'CONFLICT' })
  const { tryWebhook, incidents } = startIncidents({ fields: { recipients: [RECIPIENT] } })
  assert.deepEqual([tryWebhook().incidentId, tryWebhook().messages.length, incidents()], [null, 1, []])
})

test('a webhook that loses its policy loses its incidents, too', () => {
  const { alarm, news, world, ids } = startIncidents()
  alarm()
  news()
  const recipients = [RECIPIENT]
  world.ask('webhook.update', { ...ids, change: { name: 'other' } })
  assert.deepEqual(news(), [])
  world.ask('webhook.update', { ...ids, change: { policyId: null, recipients } })
  assert.deepEqual(news(), ['ada: Done (Owner): DOWN nas'])
})

test('the removal of a webhook closes its incidents', () => {
  const { alarm, news, world, ids, incidents } = startIncidents()
  alarm()
  news()
  world.ask('webhook.remove', ids)
  assert.deepEqual(news(), ['ada: Done (Owner): DOWN nas'])
  assert.equal(incidents()[0]?.closedBy, 'owner')
})

test('a jump of the wall clock moves no step', () => {
  for (const jumpMs of [-86_400_000, 86_400_000]) {
    const { alarm, news, world } = startIncidents()
    alarm()
    world.advance(2 * MINUTE)
    news()
    world.wallMs += jumpMs
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), [])
    world.advance(MINUTE)
    assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
  }
})

test('a clock that was set back while the gateway was off makes no step late', () => {
  const { alarm, news, world, connect } = startIncidents()
  alarm()
  news()
  world.wallMs -= 86_400_000
  world.restart()
  connect()
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
})

test('without a phone steps wait, and overdue ones come together, once', () => {
  const { alarm, news, world, connect, disconnect } = startIncidents()
  disconnect()
  world.advance(MINUTE)
  alarm()
  assert.equal(news().length, 1)
  world.advance(60 * MINUTE)
  assert.deepEqual(news(), [])
  connect()
  world.advance(0)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
})

test('an alarm that comes back within the minute is no repeat, its end is', () => {
  const { alarm, over, news, world, incidents } = startIncidents()
  alarm()
  world.advance(10_000)
  over()
  news()
  world.advance(10_000)
  assert.equal(over().duplicate, true)
  assert.equal(alarm().duplicate, false)
  assert.deepEqual(news(), ['ada: DOWN nas\nReply 3: I take it'])
  assert.equal(alarm().duplicate, true)
  assert.equal(incidents().length, 2)
})

test('closed incidents are emptied, and later deleted', () => {
  const { alarm, over, world, incidents } = startIncidents()
  const passDays = (days: number) => {
    world.wallMs += days * 86_400_000
    world.ask('clock.confirm', {})
    world.advance(60 * MINUTE)
  }
  alarm('nas')
  over('nas')
  // Within an hour it would follow the clock.
  world.advance(61 * MINUTE)
  passDays(89)
  assert.equal(incidents()[0]?.text, 'DOWN nas')
  passDays(2)
  const [emptied] = incidents()
  assert.deepEqual([emptied?.text, emptied?.key, emptied?.timeline], ['', null, []])
  passDays(world.settings.recordsMs / 86_400_000)
  assert.deepEqual(incidents(), [])
})

test('the incidents of a removed account are removed', () => {
  const { alarm, world, incidents } = startIncidents()
  alarm()
  world.ask('account.create', { email: 'b@example.org', plan: 'pro', passwordHash: null })
  world.ask('account.remove', { email: 'a@example.org' })
  assert.deepEqual(incidents(), [])
  world.advance(60 * MINUTE)
})

test('a person gets thirty texts an hour, and one that says so', () => {
  const { alarm, news, world } = startIncidents({ fields: { maxPerHour: 1000 } })
  for (let i = 1; i <= 40; i++) alarm(`m${i}`)
  const texts = news()
  assert.equal(texts.length, 31)
  assert.equal(texts[30], 'ada: No more texts for an hour. DOWN m31\nReply 32: I take it')
  world.restart()
  alarm('m41')
  assert.deepEqual(news(), [])
})

test('a copy of the database goes on with the next step, because nobody knows what its texts became', () => {
  const { alarm, news, world } = startIncidents({ isSlow: true })
  alarm()
  news()
  world.ask('gateway.quarantine', {})
  world.advance(0)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
})

test('a step that waits is looked at four times a minute, however often a phone connects', () => {
  const { alarm, connect, news, world, accountId, deviceId } = startIncidents()
  alarm()
  news()
  world.ask('device.update', { accountId, deviceId, change: { paused: true } })
  for (let i = 0; i < 30; i++) {
    world.advance(MINUTE)
    connect()
  }
  let wakes = 0
  const until = world.monoMs + 10 * MINUTE
  while ((world.batch.nextDeadline ?? until) < until) {
    world.advance((world.batch.nextDeadline ?? until) - world.monoMs)
    wakes += 1
  }
  assert.ok(wakes <= 50, `${wakes} wakes`)
  assert.deepEqual(news(), [])
})

test('while memory has no room for a text, alarms are refused and steps wait', () => {
  const { alarm, news, world, incidents } = startIncidents({ isSlow: true })
  alarm()
  news()
  const room = { messagesOpenMax: world.settings.messagesOpenMax }
  Object.assign(world.settings, { messagesOpenMax: 1 })
  assert.throws(() => alarm('router'), { code: 'SERVICE_UNAVAILABLE' })
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), [])
  assert.equal(incidents().length, 1)
  Object.assign(world.settings, room)
  world.advance(15_000)
  assert.deepEqual(news(), [`bob: DOWN nas${ASKS}`])
})
