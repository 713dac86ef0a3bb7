import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { TidyBound, TidyStore } from '#domain/retention/tidy-store.ts'
import { dayOf } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'
import { text } from '#storage/message-row.ts'

/**
 * Removal of what is too old, each through an index that finds it at once. What an event that is still to be
 * sent tells of stays until that is over, some days at most: a short retention must not lose the event.
 */
export function openTidyStore(database: DatabaseSync): TidyStore {
  const upTo = (sql: string) => changing(database.prepare(sql))
  const deleteEvents = database.prepare(
    "DELETE FROM notification_delivery WHERE subject_id = ? AND status <> 'pending'",
  )
  const clearing = (sql: string) => {
    const clear = database.prepare(sql)
    return (_tx: Tx, { before, limit }: TidyBound) => {
      const cleared = clear.all(before, limit)
      for (const { id } of cleared) deleteEvents.run(text(id))
      return cleared.length
    }
  }
  const deleteCodeFailures = upTo(`
    DELETE FROM two_factor_failure WHERE (account_id, test, phone_number) IN (
      SELECT account_id, test, phone_number FROM two_factor_failure WHERE day < ? LIMIT ?)`)
  return {
    clearMessages: clearing(`
      UPDATE message SET phone_number = '', text = '', notification_url = NULL WHERE id IN (
        SELECT id FROM message WHERE phone_number <> '' AND created_at < ?
          AND status NOT IN ('queued', 'sending') AND ${isTold('message')} LIMIT ?) RETURNING id`),
    clearReceived: clearing(`
      UPDATE received SET sender = '', text = '' WHERE id IN (
        SELECT id FROM received WHERE (sender <> '' OR text <> '') AND received_at < ?
          AND ${isTold('received')} LIMIT ?) RETURNING id`),
    deleteKeptAnswers: upTo(`
      DELETE FROM idempotency WHERE (scope, key) IN (
        SELECT scope, key FROM idempotency WHERE at < ? LIMIT ?)`),
    deletePairings: upTo(`
      DELETE FROM pairing WHERE code_hash IN (SELECT code_hash FROM pairing WHERE expires_at <= ? LIMIT ?)`),
    deleteCodes: upTo(`
      DELETE FROM two_factor WHERE serial IN (
        SELECT serial FROM two_factor WHERE expires_at < ? AND state <> 'open' AND text IS NULL LIMIT ?)`),
    deleteCodeFailures: (tx, { before, limit }) => deleteCodeFailures(tx, { before: dayOf(before), limit }),
  }
}

/** No event of the row is still to be sent. */
function isTold(table: string): string {
  return `NOT EXISTS (
    SELECT 1 FROM notification_delivery WHERE subject_id = ${table}.id AND status = 'pending')`
}

function changing(statement: StatementSync): (tx: Tx, bound: TidyBound) => number {
  return (_tx, { before, limit }) => Number(statement.run(before, limit).changes)
}
