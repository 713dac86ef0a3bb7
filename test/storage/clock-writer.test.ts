import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quarterOf } from '#domain/account/day-counts.ts'
import type { Tx } from '#domain/tx.ts'
import { openClockStore } from '#storage/clock-writer.ts'
import { openDayCountStore } from '#storage/day-counts.ts'
import { openMigrated } from '#test/kit/open-migrated.ts'

const FROM = 1_760_000_000_000
/** Waits and times to come, and what `webhooks.move`, `messages.redate` and `moveIncidents` move. */
const STAYS = `
  clock.seen_at
  forward.failing_since
  incident.alert_at incident.closed_at incident.due_at incident.opened_at
  key_token_chain.expires_at
  message.created_at message.delivered_at message.expires_at message.send_at message.sent_at
  notification_delivery.next_at
  notification_setting.failing_since
  notification_target.failing_since
  pairing.expires_at
  recent_use.until
  revoked_token.expires_at
  setup_token.expires_at
  user.invited_until
  webhook.heard_at webhook.noticed_at webhook.silent_at
  webhook_storm.last_alert_at webhook_storm.next_at
  webhook_trigger.at`

test('what happened is dated anew, in every table', () => {
  const database = openMigrated()
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON')
  const columns = database
    .prepare(
      `SELECT m.name AS place, c.name AS name, c.type AS type FROM sqlite_schema AS m,
         pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.sql LIKE '%STRICT%' ORDER BY 1, c.cid`,
    )
    .all()
    .map(row => ({ place: String(row['place']), name: String(row['name']), type: String(row['type']) }))
  const places = [...new Set(columns.map(({ place }) => place))]
  const values = { INTEGER: FROM + 1, TEXT: '{}', BLOB: new Uint8Array(1) }
  for (const place of places) {
    const bound = columns.filter(one => one.place === place).map(({ type }) => values[type as 'TEXT'])
    database.exec(`DELETE FROM "${place}"`)
    database.prepare(`INSERT INTO "${place}" VALUES (${bound.map(() => '?').join(', ')})`).run(...bound)
  }
  const at = (place: string, name: string) =>
    database.prepare(`SELECT ${name} AS at FROM "${place}"`).get()?.['at']
  const times = columns.filter(({ name, type }) => type === 'INTEGER' && /(^|_)(at|since|until)$/.test(name))
  const move = { from: FROM, ms: 60_000 }
  openClockStore(database).redate({} as Tx, move)
  const stays = times.filter(({ place, name }) => at(place, name) === FROM + 1)
  assert.deepEqual(
    stays.map(({ place, name }) => `${place}.${name}`).sort(),
    STAYS.split(/\s+/).filter(Boolean).sort(),
  )
  openClockStore(database).redate({} as Tx, { ...move, from: FROM + 600_000 })
  assert.equal(at('received', 'received_at'), FROM + 60_001, 'what is older stays')
})

test('the counters of days move with the texts that they count', () => {
  const database = openMigrated()
  const first = quarterOf(FROM)
  const store = openDayCountStore(database)
  const values = Array.from({ length: 18 }, (_, index) => index)
  for (const after of [-1, 0, 1, 4, 5])
    store.add({} as Tx, { accountId: 'acc', quarter: first + after, values })
  const accounts = () =>
    database
      .prepare('SELECT quarter, delivered, d_more FROM usage_quarter ORDER BY quarter')
      .all()
      .map(row => [Number(row['quarter']) - first, row['delivered'], row['d_more']])
  const one = [1, 17]
  const move = (ms: number, from = FROM) => openClockStore(database).redate({} as Tx, { from, ms })
  move(5 * 60_000)
  assert.deepEqual(
    accounts(),
    [-1, 0, 1, 4, 5].map(after => [after, ...one]),
  )
  move(60 * 60_000)
  assert.deepEqual(
    accounts(),
    [-1, 4, 5, 8, 9].map(after => [after, ...one]),
  )
  move(-60 * 60_000, FROM + 120 * 60_000)
  assert.deepEqual(accounts(), [
    [-1, ...one],
    [4, 2, 34],
    [5, 2, 34],
  ])
})
