import type { DatabaseSync } from 'node:sqlite'
import type { DeviceStore } from '#domain/device/device-store.ts'
import type { Device } from '#domain/device/phone.ts'
import { columnsOf, insertInto, recordOf, updateOf, valuesOf, without } from '#storage/columns.ts'
import { optional, type Row, text, textOrNull } from '#storage/row.ts'

/** Devices and pairing codes in the database, for the writer. */
export function openDeviceStore(database: DatabaseSync): DeviceStore {
  const insert = database.prepare(insertInto('device', [...DEVICE_COLUMNS, { name: 'token_hash' }]))
  const changing = without(DEVICE_COLUMNS, 'id', 'accountId', 'protocol')
  const save = database.prepare(updateOf('device', changing))
  const renewToken = database.prepare('UPDATE device SET token_hash = ? WHERE id = ?')
  const remove = database.prepare(
    'UPDATE device SET removed_at = ?, token_hash = NULL, announced_online = 0 WHERE id = ?',
  )
  return {
    insert: (_tx, device, tokenHash) => void insert.run(...valuesOf(device, DEVICE_COLUMNS), tokenHash),
    save: (_tx, device) => void save.run(...valuesOf(device, changing), device.id),
    noteChange() {},
    renewToken: (_tx, deviceId, tokenHash) => void renewToken.run(tokenHash, deviceId),
    remove: (_tx, deviceId, at) => void remove.run(at, deviceId),
    ...openPairingStore(database),
  }
}

type PairingStore = Pick<DeviceStore, 'insertPairing' | 'findPairing' | 'deletePairing' | 'countOpenPairings'>

function openPairingStore(database: DatabaseSync): PairingStore {
  const insert = database.prepare('INSERT OR REPLACE INTO pairing VALUES (?, ?, ?, ?)')
  const find = database.prepare('SELECT account_id, name, expires_at FROM pairing WHERE code_hash = ?')
  const deleteOne = database.prepare('DELETE FROM pairing WHERE code_hash = ?')
  const deleteOld = database.prepare('DELETE FROM pairing WHERE expires_at <= ?')
  const count = database.prepare('SELECT count(*) AS open FROM pairing WHERE account_id = ?')
  return {
    insertPairing(_tx, codeHash, pairing) {
      insert.run(codeHash, pairing.accountId, pairing.name, pairing.expiresAt)
    },
    findPairing: (_tx, codeHash) =>
      optional(find.get(codeHash), row => ({
        accountId: text(row['account_id']),
        name: textOrNull(row['name']),
        expiresAt: Number(row['expires_at']),
      })),
    deletePairing: (_tx, codeHash) => void deleteOne.run(codeHash),
    countOpenPairings(_tx, accountId, now) {
      deleteOld.run(now)
      return Number(count.get(accountId)?.['open'] ?? 0)
    },
  }
}

const DEVICE_COLUMNS = columnsOf<Device>({
  id: 'plain',
  accountId: 'plain',
  name: 'plain',
  protocol: 'plain',
  platform: 'plain',
  appVersion: 'plain',
  driver: 'plain',
  sims: 'json',
  calls: 'flag or null',
  receives: 'flag or null',
  battery: 'plain',
  charging: 'flag or null',
  signal: 'plain',
  paused: 'flag',
  segmentsPerMinute: 'plain',
  pairedAt: 'plain',
  lastSeenAt: 'plain',
  announcedOnline: 'flag',
  sentDay: 'plain',
  sentCount: 'plain',
  smsPerDayMax: 'plain',
  smsPerMonthMax: 'plain',
  monthStartsOn: 'plain',
  segmentDays: 'json',
  phoneNumber: 'plain',
  drill: 'json',
  proof: 'json',
})

/** Converts a row of the table `device`. */
export function deviceOf(row: Row): Device {
  return recordOf(row, DEVICE_COLUMNS)
}
