import type { HalfHourRow, PhoneHistoryReader, PhoneHistoryStore } from '#domain/device/phone-history.ts'
import { columnsOf, insertInto, recordOf, valuesOf } from '#storage/columns.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

const DEVICE = [{ name: 'account_id' }, { name: 'device_id' }]
const COLUMNS = columnsOf<HalfHourRow>({
  halfHour: 'plain',
  battery: 'plain',
  charging: 'flag or null',
  signal: 'plain',
  offlineMinutes: 'plain',
  sent: 'plain',
  failed: 'plain',
})

/** Half-hours of phones in the database, for the writer. */
export function openPhoneHistoryStore(database: DatabaseSync): PhoneHistoryStore {
  const save = database.prepare(insertInto('phone_history', [...COLUMNS, ...DEVICE], 'OR REPLACE'))
  return {
    save: (_tx, { accountId, id }, row) => void save.run(...valuesOf(row, COLUMNS), accountId, id),
  }
}

/** Reads them, for a listener. */
export function openPhoneHistoryReader(database: DatabaseSync): PhoneHistoryReader {
  const exists = database.prepare(
    'SELECT 1 FROM device WHERE id = ? AND account_id = ? AND removed_at IS NULL',
  )
  const list = database.prepare(`
    SELECT * FROM phone_history WHERE account_id = ? AND device_id = ? AND half_hour >= ? ORDER BY half_hour`)
  return (accountId, deviceId, since) => {
    if (exists.get(deviceId, accountId) === undefined) return
    return list.all(accountId, deviceId, since).map(row => recordOf(row, COLUMNS))
  }
}
