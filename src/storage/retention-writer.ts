import type { DatabaseSync } from 'node:sqlite'
import { quarterOf } from '#domain/account/day-counts.ts'
import { halfHourOf } from '#domain/device/phone-history.ts'
import { MESSAGE_FIELDS } from '#domain/message/message-fields.ts'
import type { RetentionBound, RetentionStore } from '#domain/retention/retention-store.ts'
import { dayOf } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'
import { updateOf } from '#storage/columns.ts'
import { messageColumns } from '#storage/message-row.ts'
import { PART_SERIALS, SERIALS_PER_MS } from '#storage/message-serial.ts'

const DELETE_NOTIFICATIONS = "DELETE FROM notification_delivery WHERE subject_id = ? AND status <> 'pending'"

/**
 * Removes old rows, for retention. In tables that can be large, it finds them by an index, which costs little
 * if nothing is due. A row with a pending notification stays until the notification is final, which takes
 * some days at most.
 */
export function openRetentionStore(database: DatabaseSync): RetentionStore {
  /** Makes a deletion of secrets or personal data, whose old pages must also leave the write-ahead log. */
  const makeWipe = (find: string, ...removals: readonly string[]): Deletion => {
    const remove = makeDeletion(database, find, ...removals)
    return (tx, bound) => {
      const rows = remove(tx, bound)
      if (rows > 0) tx.hasWiped = true
      return rows
    }
  }
  const deleteCodeFailures = makeWipe(
    'SELECT account_id, test, phone_number FROM two_factor_failure WHERE day < ? LIMIT ?',
    'DELETE FROM two_factor_failure WHERE account_id = ? AND test = ? AND phone_number = ?',
  )
  return {
    clearMessages: openMessageClearing(database),
    clearReceived: makeWipe(
      `SELECT id FROM received WHERE (sender <> '' OR text <> '') AND received_at < ?
        AND ${hasNoPendingNotification('received')} LIMIT ?`,
      "UPDATE received SET sender = '', text = '' WHERE id = ?",
      DELETE_NOTIFICATIONS,
    ),
    clearIncidents: makeWipe(
      "SELECT id FROM incident WHERE closed_at < ? AND content ->> '$.text' <> '' LIMIT ?",
      `UPDATE incident SET timeline = '[]',
          content = json_remove(json_set(content, '$.text', '', '$.key', NULL), '$.also', '$.ended')
        WHERE id = ?`,
    ),
    deleteIncidents: makeWipe(
      'SELECT id FROM incident WHERE closed_at < ? LIMIT ?',
      'DELETE FROM incident WHERE id = ?',
    ),
    ...openRecords(database),
    deleteDeliveries: makeWipe(
      "SELECT seq FROM notification_delivery WHERE status <> 'pending' AND created_at < ? LIMIT ?",
      'DELETE FROM notification_delivery WHERE seq = ?',
    ),
    forgetTargets: makeWipe(
      'SELECT lane FROM notification_target WHERE failing_since < ? LIMIT ?',
      'DELETE FROM notification_target WHERE lane = ?',
    ),
    deleteKeptAnswers: makeWipe(
      'SELECT scope, key FROM idempotency WHERE at < ? LIMIT ?',
      'DELETE FROM idempotency WHERE scope = ? AND key = ?',
    ),
    deleteSeenTriggers: makeWipe(
      'SELECT seq FROM webhook_seen WHERE at < ? LIMIT ?',
      'DELETE FROM webhook_seen WHERE seq = ?',
    ),
    deleteStorms: makeWipe(
      `SELECT rowid FROM webhook_storm WHERE kind = 'gathered' AND next_at IS NULL AND last_alert_at < ?
       LIMIT ?`,
      'DELETE FROM webhook_storm WHERE rowid = ?',
    ),
    deletePairings: makeWipe(
      'SELECT code_hash FROM pairing WHERE expires_at <= ? LIMIT ?',
      'DELETE FROM pairing WHERE code_hash = ?',
    ),
    deleteCodes: makeWipe(
      `SELECT serial FROM two_factor
        WHERE expires_at < ? AND state <> 'open' AND text IS NULL LIMIT ?`,
      'DELETE FROM two_factor WHERE serial = ?',
    ),
    deleteCodeFailures: (tx, { before, limit }) => deleteCodeFailures(tx, { before: dayOf(before), limit }),
  }
}

/**
 * Makes the removal of texts and numbers. The index of numbers finds the messages in its parts that are old
 * as a whole. In the newest part, where it would have to read the messages that are not old yet, the search
 * goes through the rows, and continues where it was. What could not be cleared there is found again when the
 * part is old as a whole.
 */
function openMessageClearing(database: DatabaseSync): Deletion {
  const prepareFind = (span: string) =>
    database.prepare(`
      SELECT serial, id FROM message WHERE ${span} AND phone_number <> ''
        AND (send_at IS NULL OR send_at < $before) AND status NOT IN ('queued', 'sending')
        AND ${hasNoPendingNotification('message')} LIMIT $limit`)
  const findInParts = prepareFind(`serial / ${PART_SERIALS} < $part`)
  const findInRows = prepareFind('serial >= $from AND serial < $end')
  const wiped = messageColumns(field => field.wiped !== undefined)
  const wipe = database.prepare(updateOf('message', wiped))
  const nothing = wiped.map(({ field }) => MESSAGE_FIELDS[field].wiped ?? null)
  const removals = ['DELETE FROM message_call WHERE message_id = ?', DELETE_NOTIFICATIONS].map(sql =>
    database.prepare(sql),
  )
  /** The serial from which the rows were not searched yet. */
  let from = 0
  return (tx, { before, limit }) => {
    const end = before * SERIALS_PER_MS
    const part = Math.floor(end / PART_SERIALS)
    const rows = findInParts.all({ $before: before, $limit: limit, $part: part })
    if (rows.length < limit) {
      from = Math.max(from, part * PART_SERIALS)
      const left = limit - rows.length
      const more = findInRows.all({ $before: before, $limit: left, $from: from, $end: end })
      from = more.length < left ? Math.max(from, end) : Number(more.at(-1)?.['serial']) + 1
      rows.push(...more)
    }
    for (const { id = null } of rows) {
      wipe.run(...nothing, id)
      for (const removal of removals) removal.run(id)
    }
    if (rows.length > 0) tx.hasWiped = true
    return rows.length
  }
}

type Deletion = (tx: Tx, bound: RetentionBound) => number
type Records =
  | 'deleteMessages'
  | 'deleteReceived'
  | 'deletePhones'
  | 'deletePhoneHistory'
  | 'deleteUsage'
  | 'deleteKeys'
  | 'deleteAudit'

/** Deletes rows that contain no secrets or personal data any more. */
function openRecords(database: DatabaseSync): Pick<RetentionStore, Records> {
  const deletePhoneHistory = makeDeletion(
    database,
    'SELECT account_id, device_id, half_hour FROM phone_history WHERE half_hour < ? LIMIT ?',
    'DELETE FROM phone_history WHERE account_id = ? AND device_id = ? AND half_hour = ?',
  )
  const deleteUsage = makeDeletion(
    database,
    'SELECT account_id, quarter FROM usage_quarter WHERE quarter < ? LIMIT ?',
    'DELETE FROM usage_quarter WHERE account_id = ? AND quarter = ?',
  )
  return {
    // Serials are times in microseconds, so old messages are at the start of the table.
    deleteMessages: makeDeletion(
      database,
      `SELECT serial FROM message WHERE serial < ? * ${SERIALS_PER_MS} AND phone_number = ''
        AND status NOT IN ('queued', 'sending') AND NOT (test = 1 AND status = 'sent') LIMIT ?`,
      'DELETE FROM message WHERE serial = ?',
    ),
    deleteReceived: makeDeletion(
      database,
      "SELECT id FROM received WHERE sender = '' AND text = '' AND received_at < ? LIMIT ?",
      'DELETE FROM received WHERE id = ?',
    ),
    deletePhones: makeDeletion(
      database,
      'SELECT id FROM device WHERE removed_at < ? LIMIT ?',
      'DELETE FROM device WHERE id = ?',
    ),
    deletePhoneHistory: (tx, { before, limit }) =>
      deletePhoneHistory(tx, { before: halfHourOf(before), limit }),
    deleteUsage: (tx, { before, limit }) => deleteUsage(tx, { before: quarterOf(before), limit }),
    deleteKeys: makeDeletion(
      database,
      'SELECT id FROM api_key WHERE revoked_at < ? LIMIT ?',
      'DELETE FROM api_key WHERE id = ?',
    ),
    deleteAudit: makeDeletion(
      database,
      'SELECT seq FROM audit WHERE at < ? LIMIT ?',
      'DELETE FROM audit WHERE seq = ?',
    ),
  }
}

/**
 * Makes a deletion: `find` selects due rows, and each statement of `removals` runs with the columns of each
 * row.
 */
function makeDeletion(database: DatabaseSync, find: string, ...removals: readonly string[]): Deletion {
  const due = database.prepare(find)
  const steps = removals.map(sql => database.prepare(sql))
  return (_tx, { before, limit }) => {
    const rows = due.all(before, limit)
    for (const row of rows) for (const step of steps) step.run(...Object.values(row))
    return rows.length
  }
}

/** An SQL condition: no notification about the row is pending. */
function hasNoPendingNotification(table: string): string {
  return `NOT EXISTS (
    SELECT 1 FROM notification_delivery WHERE subject_id = ${table}.id AND status = 'pending')`
}
