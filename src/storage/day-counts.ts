import type { DayCountReader, DayCountStore } from '#domain/account/day-counts.ts'
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

/** Daily counters in the database, for the writer. */
export function openDayCountStore(database: DatabaseSync): DayCountStore {
  const upsert = database.prepare(`
    INSERT INTO day_count VALUES (?, ?, ${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO UPDATE SET
    ${COLUMNS.map(name => `${name} = ${name} + excluded.${name}`).join(', ')}`)
  return {
    addToDay(_tx, { accountId, day, values }) {
      upsert.get(accountId, day, ...values)
    },
  }
}

/** Reads the daily counters, for a listener. */
export function openDayCountReader(database: DatabaseSync): DayCountReader {
  const read = database.prepare('SELECT * FROM day_count WHERE account_id = ? AND day BETWEEN ? AND ?')
  return (accountId, first, last) =>
    new Map(
      read
        .all(accountId, first, last)
        .map(row => [Number(row['day']), COLUMNS.map(name => Number(row[name]))]),
    )
}
