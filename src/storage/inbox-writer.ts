import type { DatabaseSync } from 'node:sqlite'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { InboxStore, ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import type { AccountTotals } from '#storage/account-totals.ts'

const ROWS_READ_MAX = 500
/** Rows that one transaction removes at most, so that other callers do not wait. */
const TRIMMED_MAX = 100

/** Received texts in the database, for the writer. */
export function openInboxStore(database: DatabaseSync, totals: AccountTotals): InboxStore {
  const insert = database.prepare(`
    INSERT INTO received VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (device_id, phone_message_id) DO NOTHING`)
  const trim = database.prepare(
    'DELETE FROM received WHERE id IN (SELECT id FROM received WHERE account_id = ? ORDER BY id LIMIT ?)',
  )
  // Few texts of other phones stand between them, so a bounded number of rows is enough.
  const skews = database.prepare(`
    SELECT sent_at - received_at AS skew FROM (
      SELECT * FROM received WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ${ROWS_READ_MAX})
    WHERE device_id = ? AND sim_slot IS ? AND sent_at NOT NULL ORDER BY id DESC LIMIT ?`)
  return {
    lastSkews: ({ id, accountId, deviceId, simSlot }, count) =>
      skews.all(accountId, id, deviceId, simSlot, count).map(({ skew }) => Number(skew)),
    insert(tx, received: ReceivedMessage) {
      const { id, deviceId, accountId, phoneMessageId, from, text, simSlot } = received
      const times = [received.receivedAt, received.sentAt]
      const { changes } = insert.run(id, deviceId, accountId, phoneMessageId, from, text, simSlot, ...times)
      const surplus = totals('received', accountId) - ACCOUNT_BOUNDS.receivedTexts.most
      if (surplus > 0) {
        trim.run(accountId, Math.min(surplus, TRIMMED_MAX))
        tx.hasWiped = true
      }
      return changes === 1
    },
  }
}
