import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { DeviceGroup } from '#domain/device/phone-group.ts'
import { STORED_FIELDS, type StoredFleet, type StoredMessage } from '#domain/restore-fleet.ts'
import { namesOf } from '#storage/columns.ts'
import { deviceOf } from '#storage/device-writer.ts'
import { messageColumns } from '#storage/message-row.ts'
import { text } from '#storage/row.ts'

const STORED: ReadonlySet<string> = new Set(STORED_FIELDS)
const COLUMNS = messageColumns((_, name) => STORED.has(name))

/**
 * Reads the devices and open messages that the writer keeps in memory. The start waits for this, so the query
 * uses the index of open messages, which are few, and reads only the needed columns, as arrays.
 */
export function readFleet(database: DatabaseSync): StoredFleet {
  const devices = database.prepare('SELECT * FROM device WHERE removed_at IS NULL ORDER BY id')
  const messages = database.prepare(`
    SELECT ${namesOf(COLUMNS)} FROM message INDEXED BY message_open
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
  for (const row of rows) {
    const values = row as SQLOutputValue[]
    const message: Record<string, unknown> = {}
    for (const [index, { field, codec }] of COLUMNS.entries()) {
      const value = values[index] ?? null
      message[field] = codec === null ? value : codec.read(value)
    }
    yield message as unknown as StoredMessage
  }
}
