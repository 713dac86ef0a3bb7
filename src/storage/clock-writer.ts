import type { ClockStore } from '#domain/clock/clock-store.ts'
import { openDayCountMove } from '#storage/day-counts.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Columns that hold the time at which something happened have such names. */
const PAST = /(^|_)at$|^since$/
/** These hold the end of a wait, or a time that its caller chose. */
const FUTURE: ReadonlySet<string> = new Set(['expires_at', 'next_at', 'send_at', 'silent_at'])
/** Tables whose rows move in other ways: `messages.redate`, `webhooks.move` and `moveIncidents`. */
const MOVED_ELSEWHERE: ReadonlySet<string> = new Set([
  'clock',
  'incident',
  'message',
  'two_factor',
  'webhook_storm',
  'webhook_trigger',
])
/** `webhooks.move` takes care of these. */
const OF_SILENCE: ReadonlySet<string> = new Set(['heard_at', 'noticed_at'])
/** How the new rows of large tables are found by their partial indexes. */
const LARGE: Readonly<Record<string, string>> = {
  notification_delivery: `seq IN (
    SELECT seq FROM notification_delivery INDEXED BY notification_delivery_lane
      WHERE status = 'pending' AND created_at >= $from
    UNION ALL SELECT seq FROM notification_delivery WHERE status <> 'pending' AND created_at >= $from)`,
  received: "(sender <> '' OR text <> '') AND received_at >= $from",
}
const CODES = `UPDATE two_factor SET created_at = created_at + $ms, expires_at = expires_at + $ms
  WHERE expires_at >= $from AND created_at >= $from`

/** The time that the database knows, for the writer. */
export function openClockStore(database: DatabaseSync): ClockStore {
  const find = database.prepare('SELECT seen_at, held_ms FROM clock')
  const save = database.prepare('UPDATE clock SET seen_at = ?, held_ms = ?')
  const moveCounts = openDayCountMove(database)
  const redate = [CODES, ...makeMoves(database)].map(sql => database.prepare(sql))
  return {
    read() {
      const row = find.get()
      return { seenAt: Number(row?.['seen_at']), heldMs: Number(row?.['held_ms']) }
    },
    save: (_tx, { seenAt, heldMs }) => void save.run(seenAt, heldMs),
    redate(_tx, { from, ms }) {
      if (ms === 0 || !Number.isFinite(from)) return
      for (const one of redate) one.run({ $from: from, $ms: ms })
      moveCounts(from, ms)
    },
  }
}

/** One statement for each column that holds a time of the past. */
function makeMoves(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      `SELECT m.name AS place, c.name AS name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
       WHERE m.type = 'table' AND c.type = 'INTEGER' ORDER BY 1, 2`,
    )
    .all()
    .map(row => ({ place: String(row['place']), name: String(row['name']) }))
    .filter(({ place, name }) => PAST.test(name) && !FUTURE.has(name) && !MOVED_ELSEWHERE.has(place))
    .filter(({ place, name }) => place !== 'webhook' || !OF_SILENCE.has(name))
    .map(({ place, name }) => {
      const isNew = LARGE[place] ?? `${name} >= $from`
      return `UPDATE "${place}" SET ${name} = ${name} + $ms WHERE ${isNew}`
    })
}
