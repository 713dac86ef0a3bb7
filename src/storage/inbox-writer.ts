import type { DatabaseSync } from 'node:sqlite'
import type { InboxStore, ReceivedMessage } from '#domain/inbox/inbox-store.ts'

/** Received texts in the database, for the writer. */
export function openInboxStore(database: DatabaseSync): InboxStore {
  const insert = database.prepare(`
    INSERT INTO received VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (device_id, phone_message_id) DO NOTHING`)
  return {
    insert(_tx, received: ReceivedMessage) {
      const { id, deviceId, accountId, phoneMessageId, from, text, simSlot } = received
      const times = [received.receivedAt, received.sentAt]
      const { changes } = insert.run(id, deviceId, accountId, phoneMessageId, from, text, simSlot, ...times)
      return changes === 1
    },
  }
}
