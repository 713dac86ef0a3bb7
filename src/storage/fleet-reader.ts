import type { DatabaseSync } from 'node:sqlite'
import type { Stored } from '#domain/restore-fleet.ts'
import { deviceOf } from '#storage/device-writer.ts'
import { messageOf } from '#storage/message-row.ts'

/** Reads what the memory is made from; the condition is that of the index `message_open`. */
export function readFleet(database: DatabaseSync): Stored {
  const devices = database.prepare('SELECT * FROM device WHERE removed_at IS NULL ORDER BY id')
  const messages = database.prepare(`
    SELECT * FROM message WHERE status IN ('queued', 'sending') OR (test = 1 AND status = 'sent')
    ORDER BY id`)
  return {
    devices: devices.all().map(deviceOf),
    messages: messages.iterate().map(messageOf),
  }
}
