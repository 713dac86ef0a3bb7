import type { DatabaseSync } from 'node:sqlite'
import type { MessageFilter, MessagePage, MessageReader } from '#domain/message/message-reader.ts'
import { messageOf } from '#storage/message-row.ts'
import { text } from '#storage/row.ts'

/**
 * Rows that one list looks at: a filter that matches almost nothing then costs some milliseconds a page,
 * however large the database is, instead of an index a filter on the way of every message that is accepted.
 */
const ROWS_PER_PAGE_MAX = 5000

/** Messages, read by a listener. */
export function openMessageReader(database: DatabaseSync): MessageReader {
  const find = database.prepare('SELECT * FROM message WHERE id = ? AND account_id = ? AND test = ?')
  const list = database.prepare(`
    SELECT * FROM (
      SELECT * FROM message WHERE account_id = $account AND test = $test AND id < $before ORDER BY id DESC
      LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ($status IS NULL OR status = $status) AND ($device IS NULL OR device_id = $device)
      AND ($number IS NULL OR phone_number = $number)
      AND created_at >= $since AND created_at <= $until
    ORDER BY id DESC LIMIT $limit`)
  const lastLooked = database.prepare(`
    SELECT id FROM message WHERE account_id = ? AND test = ? AND id < ? ORDER BY id DESC
    LIMIT 1 OFFSET ${ROWS_PER_PAGE_MAX - 1}`)
  return {
    find(accountId, test, id) {
      const row = find.get(id, accountId, test ? 1 : 0)
      return row === undefined ? undefined : messageOf(row)
    },
    list(filter): MessagePage {
      const before = filter.before ?? AFTER_EVERY_ID
      const rows = list.all(parametersOf(filter, before)).map(messageOf)
      const messages = rows.slice(0, filter.limit)
      const last = messages.at(-1)
      if (rows.length > filter.limit && last !== undefined) return { messages, next: last.id }
      const looked = lastLooked.get(filter.accountId, filter.test ? 1 : 0, before)
      return { messages, next: looked === undefined ? null : text(looked['id']) }
    },
  }
}

/** Sorts behind every id: `~` is the last printable character of ASCII. */
const AFTER_EVERY_ID = 'msg_~'

function parametersOf(filter: MessageFilter, before: string) {
  return {
    $account: filter.accountId,
    $test: filter.test ? 1 : 0,
    $before: before,
    $status: filter.status,
    $device: filter.deviceId,
    $number: filter.phoneNumber,
    $since: filter.since ?? 0,
    $until: filter.until ?? Number.MAX_SAFE_INTEGER,
    $limit: filter.limit + 1,
  }
}
