import { type DayCountReader, type DayCountStore, QUARTER_MS, quarterOf } from '#domain/account/day-counts.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** The columns in the order of `DayAddition.values`: the counters, then the buckets of the delivery time. */
const COLUMNS = [
  'accepted',
  'delivered',
  'sent',
  'failed',
  'received',
  'two_factor',
  'alerts',
  'd1',
  'd2',
  'd3',
  'd5',
  'd10',
  'd30',
  'd60',
  'd300',
  'd1800',
  'd7200',
  'd_more',
]

const SUMS = COLUMNS.map(name => `${name} = ${name} + excluded.${name}`).join(', ')
const ADD_UP = `ON CONFLICT DO UPDATE SET ${SUMS}`
/** Moves counters to other quarters, which may have some already. On their way they are at negative ones. */
const MOVE = [
  'UPDATE usage_quarter SET quarter = -1 - (quarter + $by) WHERE quarter >= $from',
  `INSERT INTO usage_quarter SELECT account_id, -1 - quarter, ${COLUMNS.join(', ')} FROM usage_quarter
   WHERE quarter < 0 ${ADD_UP}`,
  'DELETE FROM usage_quarter WHERE quarter < 0',
]

/** Moves the counters since `from` by about `ms`. The whole quarter of `from` moves. */
export function openDayCountMove(database: DatabaseSync): (from: number, ms: number) => void {
  const [part, add, remove] = MOVE.map(sql => database.prepare(sql))
  return (from, ms) => {
    const by = Math.round(ms / QUARTER_MS)
    if (by === 0) return
    part?.run({ $by: by, $from: quarterOf(from) })
    add?.run()
    remove?.run()
  }
}

/** The counters in the database, for the writer. */
export function openDayCountStore(database: DatabaseSync): DayCountStore {
  const upsert = database.prepare(
    `INSERT INTO usage_quarter VALUES (?, ?, ${COLUMNS.map(() => '?').join(', ')}) ${ADD_UP}`,
  )
  return {
    add: (_tx, { accountId, quarter, values }) => void upsert.get(accountId, quarter, ...values),
  }
}

/** Adds up the counters, for a listener. */
export function openDayCountReader(database: DatabaseSync): DayCountReader {
  const read = database.prepare(`
    SELECT ${COLUMNS.map(name => `sum(${name}) AS ${name}`).join(', ')} FROM usage_quarter
    WHERE account_id = ? AND quarter >= ? AND quarter < ?`)
  return (accountId, from, until) => {
    const row = read.get(accountId, from, until)
    return COLUMNS.map(name => Number(row?.[name]))
  }
}
