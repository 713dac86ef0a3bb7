import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { MessageKind, MessageStatus } from '#contracts/primitives.ts'
import type { DeviceGroup } from '#domain/device/phone-group.ts'
import type { StoredFleet, StoredMessage } from '#domain/restore-fleet.ts'
import { deviceOf } from '#storage/device-writer.ts'
import { numberOrNull, text, textOrNull } from '#storage/row.ts'

/**
 * Reads the devices and open messages that the writer keeps in memory. The start waits for this, so the query
 * uses the index of open messages, which are few, and reads only the needed columns, as arrays.
 */
export function readFleet(database: DatabaseSync): StoredFleet {
  const devices = database.prepare('SELECT * FROM device WHERE removed_at IS NULL ORDER BY id')
  const messages = database.prepare(`
    SELECT id, account_id, test, kind, country, segments, priority, pinned, created_at,
      send_at, expires_at, status, device_id, attempt, not_before, device_group_id
    FROM message INDEXED BY message_open
    WHERE (status IN ('queued', 'sending') OR (test = 1 AND status = 'sent'))
      AND account_id NOT IN (SELECT id FROM removed_account)`)
  messages.setReturnArrays(true)
  const groups = database
    .prepare('SELECT content FROM device_group ORDER BY id')
    .all()
    .map(row => JSON.parse(text(row['content'])) as DeviceGroup)
  return { devices: devices.all().map(deviceOf), groups, messages: convert(messages.iterate()) }
}

/** Converts one row at a time, because hundreds of thousands of rows would not fit into memory together. */
function* convert(rows: Iterable<unknown>): Generator<StoredMessage> {
  for (const row of rows) yield storedMessageOf(row as SQLOutputValue[])
}

/** Converts a row with its values in the order of the query above. */
function storedMessageOf(row: readonly SQLOutputValue[]): StoredMessage {
  const [id, accountId, test, kind, country, segments, priority, pinned, ...more] = row
  const [createdAt, sendAt, expiresAt, status, deviceId, attempt, notBefore, deviceGroupId] = more
  return {
    id: text(id),
    accountId: text(accountId),
    test: test === 1,
    kind: text(kind) as MessageKind,
    country: textOrNull(country),
    segments: Number(segments),
    priority: priority === 'high' ? 'high' : 'normal',
    pinned: pinned === 1,
    deviceGroupId: textOrNull(deviceGroupId ?? null),
    createdAt: Number(createdAt),
    sendAt: numberOrNull(sendAt),
    expiresAt: Number(expiresAt),
    status: text(status) as MessageStatus,
    deviceId: textOrNull(deviceId),
    attempt: Number(attempt),
    notBefore: Number(notBefore),
  }
}
