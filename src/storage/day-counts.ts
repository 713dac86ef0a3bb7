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

/** The counters in the database, for the writer. */
export function openDayCountStore(database: DatabaseSync): DayCountStore {
  const upsert = database.prepare(`
    INSERT INTO usage_quarter VALUES (?, ?, ${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO UPDATE SET
    ${COLUMNS.map(name => `${name} = ${name} + excluded.${name}`).join(', ')}`)
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
