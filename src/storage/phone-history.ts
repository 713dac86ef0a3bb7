import type { HalfHourRow, PhoneHistoryReader, PhoneHistoryStore } from '#domain/device/phone-history.ts'
import { booleanOrNull, numberOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Half-hours of phones in the database, for the writer. */
export function openPhoneHistoryStore(database: DatabaseSync): PhoneHistoryStore {
  const save = database.prepare('INSERT OR REPLACE INTO phone_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  return {
    save(_tx, { accountId, id }, row) {
      const { halfHour, battery, charging, signal, offlineMinutes, sent, failed } = row
      const isCharging = charging === null ? null : Number(charging)
      save.run(accountId, id, halfHour, battery, isCharging, signal, offlineMinutes, sent, failed)
    },
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
    return list.all(accountId, deviceId, since).map(
      (row): HalfHourRow => ({
        halfHour: Number(row['half_hour']),
        battery: numberOrNull(row['battery']),
        charging: booleanOrNull(row['charging']),
        signal: numberOrNull(row['signal']),
        offlineMinutes: Number(row['offline_minutes']),
        sent: Number(row['sent']),
        failed: Number(row['failed']),
      }),
    )
  }
}
