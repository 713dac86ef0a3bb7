import type { DatabaseSync } from 'node:sqlite'
import type { DeviceProtocol, Sim } from '#contracts/phone-orders.ts'
import type { DeviceStore } from '#domain/device/device-store.ts'
import type { Device } from '#domain/device/phone.ts'
import { booleanOrNull, numberOrNull, type Row, text, textOrNull } from '#storage/row.ts'

/** Devices and pairing codes in the database, for the writer. */
export function openDeviceStore(database: DatabaseSync): DeviceStore {
  const insert = database.prepare(`
    INSERT INTO device VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?,
      ?, ?)`)
  const save = database.prepare(`
    UPDATE device SET name = ?, platform = ?, app_version = ?, sims = ?, battery = ?, charging = ?,
      signal = ?, paused = ?, segments_per_minute = ?, paired_at = ?, last_seen_at = ?,
      announced_online = ?, sent_day = ?, sent_count = ?, driver = ?, calls = ?,
      receives = ?, sms_per_day_max = ?, sms_per_month_max = ?, month_starts_on = ?,
      segment_days = ? WHERE id = ?`)
  const renewToken = database.prepare('UPDATE device SET token_hash = ? WHERE id = ?')
  const remove = database.prepare(
    'UPDATE device SET removed_at = ?, token_hash = NULL, announced_online = 0 WHERE id = ?',
  )
  return {
    insert(_tx, device, tokenHash) {
      insert.run(
        device.id,
        device.accountId,
        tokenHash,
        ...changeable(device),
        device.protocol,
        ...later(device),
      )
    },
    save(_tx, device) {
      save.run(...changeable(device), ...later(device), device.id)
    },
    noteChange() {},
    renewToken(_tx, deviceId, tokenHash) {
      renewToken.run(tokenHash, deviceId)
    },
    remove(_tx, deviceId, at) {
      remove.run(at, deviceId)
    },
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
    findPairing(_tx, codeHash) {
      const row = find.get(codeHash)
      if (row === undefined) return undefined
      return {
        accountId: text(row['account_id']),
        name: textOrNull(row['name']),
        expiresAt: Number(row['expires_at']),
      }
    },
    deletePairing(_tx, codeHash) {
      deleteOne.run(codeHash)
    },
    countOpenPairings(_tx, accountId, now) {
      deleteOld.run(now)
      return Number(count.get(accountId)?.['open'] ?? 0)
    },
  }
}

/** Converts a row of the table `device`. */
export function deviceOf(row: Row): Device {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    name: text(row['name']),
    protocol: text(row['protocol']) as DeviceProtocol,
    platform: textOrNull(row['platform']),
    appVersion: textOrNull(row['app_version']),
    driver: textOrNull(row['driver']),
    sims: JSON.parse(text(row['sims'])) as Sim[],
    calls: booleanOrNull(row['calls']),
    receives: booleanOrNull(row['receives']),
    battery: numberOrNull(row['battery']),
    charging: booleanOrNull(row['charging']),
    signal: numberOrNull(row['signal']),
    paused: row['paused'] === 1,
    segmentsPerMinute: numberOrNull(row['segments_per_minute']),
    pairedAt: Number(row['paired_at']),
    lastSeenAt: Number(row['last_seen_at']),
    announcedOnline: row['announced_online'] === 1,
    sentDay: Number(row['sent_day']),
    sentCount: Number(row['sent_count']),
    smsPerDayMax: numberOrNull(row['sms_per_day_max']),
    smsPerMonthMax: numberOrNull(row['sms_per_month_max']),
    monthStartsOn: Number(row['month_starts_on']),
    segmentDays: JSON.parse(text(row['segment_days'])) as Device['segmentDays'],
  }
}

/** The values that can change, except those of `later`, in the order of the columns. */
function changeable(device: Device) {
  return [
    device.name,
    device.platform,
    device.appVersion,
    JSON.stringify(device.sims),
    device.battery,
    bitOf(device.charging),
    device.signal,
    Number(device.paused),
    device.segmentsPerMinute,
    device.pairedAt,
    device.lastSeenAt,
    Number(device.announcedOnline),
    device.sentDay,
    device.sentCount,
  ] as const
}

/** The values of the columns that later migrations added. */
function later(device: Device) {
  const { driver, calls, receives, smsPerDayMax, smsPerMonthMax, monthStartsOn, segmentDays } = device
  const caps = [smsPerDayMax, smsPerMonthMax, monthStartsOn, JSON.stringify(segmentDays)] as const
  return [driver, bitOf(calls), bitOf(receives), ...caps] as const
}

function bitOf(value: boolean | null): number | null {
  return value === null ? null : Number(value)
}
