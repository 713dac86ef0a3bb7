/** A database from before incidents had bounds: 2,413 that nobody took, in five days of one webhook. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { openWritable } from '#storage/database.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { incidentColumns } from '#storage/migrations/049-incident-columns.ts'
import { hash } from '#storage/source.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { storedIncidents } from '#test/kit/stored-incidents.ts'
import { HEALTHY_MACHINE } from '#test/kit/watched-world.ts'
import { NO_FACTS, NOT_READ } from '#test/kit/webhook-world.ts'
import { TestWorld } from '#test/kit/world.ts'

const MINUTE = 60_000
const UNANSWERED = 2413
/** So many alarms there are about them: the newest ones. */
const ALARMS = 20
/** From one of them to the next: five days. */
const EVERY_MS = 3 * MINUTE

test('the upgrade closes incidents above the bounds without a text, an alarm or a notification', t => {
  const { world, token, open } = upgraded(t)
  const { database } = world
  const count = (what: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.['n'])
  const told = () => [
    count('message'),
    count("notification_delivery WHERE body LIKE '%incident%' OR body LIKE '%INCIDENT%'"),
    count("alarm WHERE code = 'INCIDENT_UNANSWERED' AND cleared_at IS NULL"),
  ]
  const before = told()
  for (let minute = 0; minute < 20; minute++) {
    world.advance(MINUTE)
    world.ask('health.check', HEALTHY_MACHINE)
  }
  const live = storedIncidents(database).filter(({ state }) => state !== 'closed')
  assert.equal(live.length, ACCOUNT_BOUNDS.openIncidentsOfWebhook.most)
  assert.equal(count('incident'), UNANSWERED + 1)
  const numbers = new Set(live.map(({ number }) => number))
  assert.ok(
    numbers.size === live.length && !numbers.has(null),
    'each has a number by which it can be answered',
  )
  assert.deepEqual(told(), before)
  const [kept] = storedIncidents(database)
  assert.deepEqual([kept?.state, kept?.closedBy, kept?.timeline.at(-1)?.event], ['closed', null, 'closed'])
  const read = { ...NOT_READ, facts: { ...NO_FACTS, key: open.key, state: 'recovered' as const } }
  const hashes = { tokenHash: hash(token), requestHash: hash('UP nas') }
  const words = { text: 'UP nas', segments: 1, encoding: 'GSM-7', format: 'generic' } as const
  const { incidentId } = world.ask('webhook.trigger', { ...hashes, ...words, ...read, address: '192.0.2.1' })
  assert.equal(incidentId, open.id, 'an open one is found by the key that it was opened with')
  assert.deepEqual(
    world.database
      .prepare("SELECT text FROM message WHERE text LIKE 'UP%'")
      .all()
      .map(row => row['text']),
    ['UP nas'],
  )
})

test('an alert whose key has changed finds its incident, and tells what is new', () => {
  const { alarm, news, world, incidents } = startIncidents()
  const smart = (disk: string, state: 'firing' | 'recovered' = 'firing') =>
    alarm('SMART', { key: `thing:smart ${disk}`, formerKey: 'thing:smart', state }, `SMART ${disk} ${state}`)
  alarm('SMART', { key: 'thing:smart' }, 'SMART sda firing')
  world.database.exec('UPDATE incident_thing SET name = NULL')
  news()
  assert.equal(smart('sda').incidentId, incidents()[0]?.id)
  assert.deepEqual(news(), [])
  assert.equal(smart('sda', 'recovered').incidentId, incidents()[0]?.id)
  assert.deepEqual(news(), ['ada: SMART sda recovered'])
  alarm('SMART', { key: 'thing:smart' }, 'SMART sda again')
  world.database.exec('UPDATE incident_thing SET name = NULL')
  news()
  smart('sdb')
  assert.deepEqual(news(), ['ada: SMART sdb firing\nReply 3: I take it'])
  smart('sdc')
  assert.equal(incidents().length, 3, 'only what is from before has a former key')
})

test('a group from before the upgrade is followed by its things from then on', () => {
  const { alarm, news, world, incidents } = startIncidents()
  const post = (...hosts: readonly (readonly [string, boolean])[]) => {
    const things = hosts.map(([name, isOver]) => ({ key: `id:g#${name}`, name, isOver }))
    const state = hosts.every(([, isOver]) => isOver) ? 'recovered' : 'firing'
    alarm('Down', { key: 'id:g', things, state }, `Down: ${hosts.join(' ')}`)
  }
  post(['nas', false])
  world.database.exec(`DELETE FROM incident_thing WHERE key <> 'id:g'`)
  news()
  world.advance(MINUTE)
  post(['nas', false])
  assert.deepEqual(news(), [])
  post(['nas', false], ['web', false])
  assert.deepEqual(news(), ['ada: Down: web\nReply 2: I take it'])
  post(['nas', true], ['web', true])
  assert.deepEqual([news(), incidents()[0]?.state], [['ada: 2 up again: nas, web'], 'closed'])
})

/** A gateway whose database has the schema of before, with the incidents that it allowed. */
function upgraded(t: TestContext) {
  const it = startIncidents()
  const { world, accountId, token } = it
  const events = ['incident.closed', 'incident.unanswered', 'system.recovered', 'system.alarm'] as const
  world.ask('notification.set', { accountId, url: 'https://receiver.test/', events: [...events] })
  it.alarm()
  it.sendOffered()
  const [open] = it.incidents()
  if (open === undefined) throw new Error('nothing was opened')
  const folder = mkdtempSync(join(tmpdir(), 'roost-upgrade-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'roost.db')
  const old = openWritable(file)
  migrate(old, { migrations: MIGRATIONS.slice(0, MIGRATIONS.indexOf(incidentColumns)) })
  old.exec('PRAGMA foreign_keys = OFF; BEGIN')
  copyRows(world.database, old)
  const insert = old.prepare('INSERT INTO incident VALUES (?, ?, ?, ?, ?, ?, ?)')
  const add = (incident: Incident) => {
    const { id, webhookId, state, openedAt } = incident
    insert.run(id, accountId, webhookId, state, openedAt, null, JSON.stringify(incident))
  }
  old.exec('DELETE FROM incident')
  add(open)
  for (let i = 1; i <= UNANSWERED; i++) {
    const at = open.openedAt - i * EVERY_MS
    // The oldest have all numbers.
    const number = i > UNANSWERED - 97 ? i - UNANSWERED + 99 : null
    const what = { id: `inc_00${100_000 - i}`, key: `thing:x${i}`, number }
    const when = { openedAt: at, alertAt: at, roundAt: at, dueAt: null }
    const timeline = [{ ...(open.timeline[0] as Incident['timeline'][0]), at, event: 'unanswered' as const }]
    add({
      ...open,
      ...what,
      ...when,
      things: [{ key: what.key, isOver: false }],
      state: 'unanswered',
      timeline,
    })
  }
  const alarm = old.prepare(`
    INSERT INTO alarm VALUES (?, 'INCIDENT_UNANSWERED', ?, 'critical', '', 0, 0, NULL, 0, 'raised', '')`)
  for (const i of [...Array(ALARMS).keys(), UNANSWERED - 1]) alarm.run(accountId, `inc_00${99_999 - i}`)
  old.exec('COMMIT')
  old.close()
  const startedAt = performance.now()
  const next = new TestWorld(file)
  t.after(() => next.database.close())
  t.diagnostic(`opened in ${Math.round(performance.now() - startedAt)} ms`)
  next.wallMs = world.wallMs
  next.restart()
  return { world: next, token, open }
}

/** Copies the rows of all tables that both have, by the columns that both have. */
function copyRows(from: DatabaseSync, to: DatabaseSync): void {
  const namesIn = (database: DatabaseSync, sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => String(row['name']))
  const columnsIn = (database: DatabaseSync, table: string) =>
    namesIn(database, `SELECT name FROM pragma_table_info('${table}')`)
  for (const table of namesIn(
    to,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )) {
    const columns = columnsIn(from, table).filter(one => columnsIn(to, table).includes(one))
    const insert = `INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`
    for (const row of from.prepare(`SELECT ${columns} FROM ${table}`).all())
      to.prepare(insert).run(...Object.values(row))
  }
}
