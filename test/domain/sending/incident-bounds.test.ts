/** Bounds of the incidents of an account, and what an alert costs beside many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { openIncidentRows } from '#storage/incident-store.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { FIELDS, NO_FACTS } from '#test/kit/webhook-world.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const OPEN = ACCOUNT_BOUNDS.openIncidents.most
const OF_WEBHOOK = ACCOUNT_BOUNDS.openIncidentsOfWebhook.most

function start() {
  const it = startIncidents({ fields: { maxPerHour: 1000 } })
  const { world, accountId, policyId, triggerAt, incidents } = it
  const addWebhook = () => {
    const fields = { ...FIELDS, recipients: [], maxPerHour: 1000, policyId }
    const { id, token } = world.ask('webhook.create', { accountId, fields })
    const alarm = (subject: string, facts: object = {}) =>
      triggerAt(token ?? '', `DOWN ${subject}`, {
        facts: { ...NO_FACTS, key: `thing:${subject}`, subject, state: 'firing', ...facts },
      }).incidentId
    return { id, alarm }
  }
  const live = () => incidents().filter(({ state }) => state !== 'closed')
  /** As after its rounds, without their texts. */
  const giveUp = (incident: Incident) => {
    const roundAt = world.wallMs
    const {
      things: _,
      timeline: __,
      ...head
    } = { ...incident, state: 'unanswered', roundAt, dueAt: roundAt + DAY }
    world.database
      .prepare("UPDATE incident SET state = 'unanswered', due_at = ?, content = ? WHERE id = ?")
      .run(roundAt + DAY, JSON.stringify(head), incident.id)
  }
  const ofWebhook = (id: string) => live().filter(({ webhookId }) => webhookId === id).length
  return { ...it, addWebhook, live, giveUp, ofWebhook }
}

function fill({ addWebhook }: ReturnType<typeof start>) {
  const webhooks = [addWebhook(), addWebhook()] as const
  for (let i = 0; i < OF_WEBHOOK; i++) webhooks[0].alarm(`a${i}`)
  for (let i = OF_WEBHOOK; i < OPEN; i++) webhooks[1].alarm(`b${i}`)
  return webhooks
}

test('above its bound a webhook opens no incident: the alert joins the newest', () => {
  const it = start()
  const [many, few] = fill(it)
  const newest = it
    .live()
    .filter(({ webhookId }) => webhookId === many.id)
    .at(-1)
  assert.equal(many.alarm('one more'), newest?.id)
  assert.deepEqual([it.live().length, it.ofWebhook(many.id)], [OPEN, OF_WEBHOOK])
  const numbers = new Set(it.live().map(({ number }) => number))
  assert.equal(numbers.size, OPEN)
  assert.equal(few.alarm('one more'), it.live().at(-1)?.id, 'it joins its own at the bound of the account')
})

test('above the bound of the account, the oldest that nobody took makes room, in silence', () => {
  const it = start()
  const [many] = fill(it)
  const [first, second] = it.live()
  if (second !== undefined) it.giveUp(second)
  it.news()
  const third = it.addWebhook()
  third.alarm('fire')
  const closed = it.incidents().filter(({ state }) => state === 'closed')
  assert.deepEqual([closed.map(({ id }) => id), closed[0]?.closedBy], [[second?.id], null])
  assert.ok(it.news().every(text => text.includes('fire')))
  it.addWebhook().alarm('flood')
  const [oldest] = it.incidents().filter(({ state }) => state === 'closed')
  assert.equal(oldest?.id, first?.id, 'else the oldest of the webhook that has most')
  assert.deepEqual([it.live().length, it.ofWebhook(many.id)], [OPEN, OF_WEBHOOK - 2])
})

test('a rehearsal is refused at the bound, an alert without a webhook gets room', () => {
  const it = start()
  fill(it)
  const { world, accountId, policyId } = it
  assert.throws(() => world.ask('policy.rehearse', { accountId, policyId }), {
    code: 'CONFLICT',
    message: `there are ${OPEN} incidents that are not closed already: close one first`,
  })
  const { id } = world.ask('policy.alert', { accountId, policyId, text: 'FIRE' })
  assert.deepEqual([it.live().at(-1)?.id, it.live().length], [id, OPEN])
})

test('further alerts about what nobody took reach somebody, also at the bound', () => {
  const it = start()
  const { alarm } = it.addWebhook()
  for (let i = 0; i < OF_WEBHOOK; i++) alarm(`a${i}`)
  it.world.advance(61 * MINUTE)
  for (const one of it.live()) it.giveUp(one)
  it.news()
  const id = alarm('fire')
  assert.match(it.news().join(), /^ada: (Still: )?DOWN fire/)
  assert.equal(it.live().find(one => one.id === id)?.state, 'open')
})

test('of closed incidents the oldest go', () => {
  const it = start()
  const { alarm, world } = it
  const { most } = ACCOUNT_BOUNDS.closedIncidents
  const openAndClose = (subject: string) => {
    const { incidentId } = alarm(subject)
    world.ask('incident.close', { accountId: it.accountId, incidentId: incidentId ?? '' })
  }
  openAndClose('first')
  world.database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most - 1})
    INSERT INTO incident SELECT 'inc_0' || i, account_id, webhook_id, state, opened_at, closed_at - i,
      content, number, alert_at, due_at, timeline FROM incident, n`)
  const rows = () => it.rows('incident')
  assert.equal(rows(), most)
  openAndClose('pump')
  assert.equal(rows(), most)
  const gone = world.database.prepare('SELECT 1 FROM incident WHERE id = ?').get(`inc_0${most - 1}`)
  assert.deepEqual([gone, it.rows('incident_thing')], [undefined, 0])
})

test('an alert reads and parses the same beside 98 incidents as beside none', t => {
  const readIn = (prepare: (it: ReturnType<typeof start>) => void) => {
    const it = start()
    prepare(it)
    // Beyond the hour in which people have had many texts.
    it.world.advance(61 * MINUTE)
    const quiet = it.addWebhook()
    quiet.alarm('nas')
    it.world.advance(MINUTE)
    const parse = t.mock.method(JSON, 'parse')
    quiet.alarm('nas', { severity: 'critical' })
    const read = parse.mock.calls.map(({ arguments: [text] }) => String(text).length)
    parse.mock.restore()
    return [read.length, read.reduce((sum, length) => sum + length, 0)] as const
  }
  const [parsed, length] = readIn(() => {})
  const [parsedBeside, lengthBeside] = readIn(it => {
    fill(it)
    for (const one of it.live()) it.giveUp(one)
  })
  assert.ok(parsedBeside <= parsed, `${parsedBeside} rows, alone ${parsed}`)
  assert.ok(lengthBeside < length * 1.1, `${lengthBeside} characters, alone ${length}`)
})

test('incidents that are due together are looked at in slices', () => {
  const it = start()
  const { world } = it
  fill(it)
  for (const one of it.live()) it.giveUp(one)
  world.monoMs += DAY
  world.wallMs += DAY
  const left = []
  for (let i = 0; i < 3; i++) {
    world.batch.run([])
    left.push(it.live().length)
  }
  assert.deepEqual(left, [OPEN - 10, OPEN - 20, OPEN - 30])
  world.advance(0)
  assert.equal(it.live().length, 0)
})

test('a jump of the clock moves what counts within the hour', () => {
  const { alarm, news, world } = start()
  for (let i = 0; i < 40; i++) alarm(`m${i}`)
  assert.equal(news().length, 31)
  world.wallMs += 10 * DAY
  world.advance(59 * MINUTE)
  news()
  alarm('held back')
  assert.deepEqual(news(), [])
  world.advance(2 * MINUTE)
  alarm('told')
  assert.ok(news().some(text => text.startsWith('ada: DOWN told')))
})

test('a page of incidents with long timelines is short, and the next one goes on', () => {
  const it = start()
  fill(it)
  const entry = { at: 0, event: 'joined', personId: null, messageId: null, detail: 'x'.repeat(480) }
  it.world.database
    .prepare('UPDATE incident SET timeline = ?')
    .run(JSON.stringify(Array.from({ length: 200 }, () => entry)))
  const rows = openIncidentRows(it.world.database)
  const ids: string[] = []
  let pages = 0
  for (let before: string | null = null; pages === 0 || before !== null; pages += 1) {
    const asked = { accountId: it.accountId, state: null, webhookId: null, before, limit: 200 }
    const page = rows.list(asked)
    assert.ok(JSON.stringify(page.incidents).length < 700_000)
    ids.push(...page.incidents.map(({ id }) => id))
    before = page.next
  }
  assert.equal(new Set(ids).size, OPEN)
  assert.equal(ids.length, OPEN)
  assert.ok(pages > 10, `${pages} pages`)
})
