/** How many texts about incidents reach a person, whatever is posted, rehearsed or forged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { hourAllows } from '#domain/sending/text-bounds.ts'
import { PEOPLE, startIncidents } from '#test/kit/incident-world.ts'
import { FIELDS, NO_FACTS } from '#test/kit/webhook-world.ts'

const MINUTE = 60_000
const fields = { maxPerHour: 1000 }

test('a third of the hour of a person is kept for critical and unknown alerts', () => {
  const told = (mild: number, urgent: number) => [
    ...Array(mild).fill({ sourceId: 'whk_1', isUrgent: false }),
    ...Array(urgent).fill({ sourceId: 'whk_1', isUrgent: true }),
  ]
  const of = (isUrgent: boolean, mild: number, urgent: number, isSaid = false) =>
    hourAllows({ isUrgent, sourceId: 'whk_1' }, told(mild, urgent), isSaid)
  assert.deepEqual(
    [of(false, 18, 0), of(false, 19, 0), of(false, 20, 0, true)],
    ['yes', 'last-of-hour', 'no'],
  )
  assert.deepEqual(
    [of(true, 20, 0, true), of(true, 20, 9, true), of(true, 20, 10, true)],
    ['yes', 'yes', 'no'],
  )
  assert.deepEqual([of(true, 0, 29), of(true, 0, 30), of(true, 0, 31, true)], ['yes', 'last-of-hour', 'no'])
  assert.deepEqual([of(false, 1, 28), of(false, 1, 29)], ['yes', 'last-of-hour'])
})

test('the first text of an incident passes while its webhook has used less than a third', () => {
  const told = [
    ...Array(31).fill({ sourceId: 'whk_1', isUrgent: true }),
    ...Array(9).fill({ sourceId: 'whk_2', isUrgent: true }),
  ]
  const of = (sourceId: string | null, isFirst = true) =>
    hourAllows({ isUrgent: false, sourceId, isFirst }, told, true)
  assert.deepEqual([of('whk_1'), of('whk_2'), of('whk_2', false), of(null)], ['no', 'yes', 'no', 'no'])
})

test('sixty critical posts to one address do not keep the fire of another webhook from its people', () => {
  const { alarm, news, world, accountId, policyId, triggerAt } = startIncidents({ fields })
  for (let i = 0; i < 60; i++) alarm(`m${i}`, { severity: 'critical' })
  assert.equal(news().filter(text => text.startsWith('ada')).length, 31)
  const other = { ...FIELDS, recipients: [], policyId }
  const { token } = world.ask('webhook.create', { accountId, fields: other })
  const facts = { ...NO_FACTS, key: 'thing:hall', subject: 'hall', state: 'firing' } as const
  triggerAt(token ?? '', 'FIRE hall', { facts: { ...facts, severity: 'critical' } })
  assert.match(news().join(), /^ada: FIRE hall/)
})

test('mild alerts leave ten texts of the hour to critical ones', () => {
  const { alarm, news } = startIncidents({ fields })
  for (let i = 0; i < 40; i++) alarm(`m${i}`, { severity: 'warning' })
  const mild = news()
  assert.deepEqual([mild.length, mild.at(-1)?.startsWith('ada: No more texts for an hour. ')], [20, true])
  for (let i = 0; i < 15; i++) alarm(`c${i}`, { severity: 'critical' })
  assert.equal(news().length, 10)
})

test('an account rehearses five times an hour, and each rehearsal counts in full', () => {
  const { world, accountId, policyId, news, says } = startIncidents({ plan: 'free' })
  const { most } = ACCOUNT_BOUNDS.rehearsals
  for (let i = 0; i < most; i++) {
    world.ask('policy.rehearse', { accountId, policyId })
    says('ada', '2')
    world.advance(MINUTE)
  }
  const message = `there were ${most} rehearsals in this hour already: try again later`
  assert.throws(() => world.ask('policy.rehearse', { accountId, policyId }), { code: 'CONFLICT', message })
  world.advance(55 * MINUTE)
  world.ask('policy.rehearse', { accountId, policyId })
  assert.ok(news().length <= 31)
  const counted = world.database.prepare("SELECT 1 FROM recent_use WHERE kind = 'ended'").all()
  assert.deepEqual(counted, [])
})

test('the hour of an account follows a clock that comes right', () => {
  const { world, accountId, policyId } = startIncidents()
  const rehearse = () => world.ask('policy.rehearse', { accountId, policyId })
  world.wallMs += 50 * MINUTE
  for (let i = 0; i < ACCOUNT_BOUNDS.rehearsals.most; i++) {
    rehearse()
    world.advance(MINUTE)
  }
  world.wallMs -= 50 * MINUTE
  world.advance(54 * MINUTE)
  assert.throws(rehearse, { code: 'CONFLICT' })
  world.advance(MINUTE)
  rehearse()
})

test('ends go only to those who were told, at most thirty an hour', () => {
  const { alarm, over, news } = startIncidents({ fields })
  for (let i = 0; i < 45; i++) {
    alarm(`m${i}`)
    over(`m${i}`)
  }
  const texts = news()
  const ends = texts.filter(text => text.includes('UP m'))
  assert.deepEqual([texts.length, ends.length], [61, 30])
})

test('a forged sender gets a person twenty replies an hour', () => {
  const { alarm, says, news, world } = startIncidents({ steps: [[0, ['ada', 'bob']]] })
  alarm()
  news()
  for (let i = 0; i < 60; i++) {
    says('ada', i % 2 === 0 ? '2' : '2 no')
    world.advance(1000)
  }
  const texts = news().filter(text => text.startsWith('ada: '))
  const replies = texts.filter(text => /^ada: (Yours|Passed on)/.test(text))
  assert.equal(replies.length, 20)
  assert.ok(texts.length <= 30, `${texts.length} texts`)
})

test('beyond the day of the plan an account has a hundred texts for people', () => {
  const { alarm, news, world, accountId, incidents } = startIncidents({
    plan: 'free',
    fields,
    steps: [[0, ['ada', 'bob', 'eve']]],
  })
  const { most } = ACCOUNT_BOUNDS.extraTexts
  const { smsPerDay } = world.settings.plan('free') ?? { smsPerDay: 0 }
  const texts: string[] = []
  for (let hour = 0; hour < 6; hour++) {
    for (let i = 0; i < 10; i++) alarm(`m${hour} ${i}`, { severity: 'warning' })
    for (const { id, state } of incidents())
      if (state !== 'closed') world.database.prepare('DELETE FROM incident WHERE id = ?').run(id)
    texts.push(...news())
    world.advance(60 * MINUTE)
  }
  const mild = smsPerDay + most - Math.floor(most / 3)
  assert.deepEqual(
    [texts.length, texts.filter(text => text.includes('No more texts today')).length],
    [mild + 3, 3],
  )
  const day = () => world.ask('health.list', { accountId }).filter(({ code }) => code === 'PERSON_OVER_CAP')
  world.ask('health.check', { backup: null, cluster: null, damage: null, certificate: null, disk: null })
  assert.ok(day().some(({ subject }) => subject === null))
  alarm('fire', { severity: 'critical' })
  assert.equal(news().length, Object.keys(PEOPLE).length, 'a third is kept for critical alerts')
  world.advance(7 * 60 * MINUTE)
  alarm('tomorrow', { severity: 'warning' })
  assert.equal(news().filter(text => text.includes('DOWN tomorrow')).length, 3)
})
