import type { InboxFilter, InboxPage, InboxReader, ReceivedText } from '#domain/inbox/inbox-reader.ts'
import { likePattern } from '#storage/like-pattern.ts'
import { numberOrNull, type Row, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Rows that one page reads at most, so that a filter with few matches costs only milliseconds. */
const ROWS_PER_PAGE_MAX = 5000

/** False for a row that retention emptied. The row stays, in case the phone reports the text again. */
const IS_KEPT = "(sender <> '' OR text <> '')"

/** Reads received texts, for a listener. */
export function openInboxReader(database: DatabaseSync): InboxReader {
  const find = database.prepare(`SELECT * FROM received WHERE id = ? AND account_id = ? AND ${IS_KEPT}`)
  const list = database.prepare(`
    SELECT * FROM (
      SELECT * FROM received WHERE account_id = $account AND id < $before ORDER BY id DESC
      LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ${IS_KEPT} AND ($device IS NULL OR device_id = $device)
      AND ($from IS NULL OR sender IN ($from, $number))
      AND ($pattern IS NULL OR text LIKE $pattern ESCAPE '\\' OR sender LIKE $pattern ESCAPE '\\')
      AND received_at >= $since AND received_at <= $until
    ORDER BY id DESC LIMIT $limit`)
  const lastRead = database.prepare(`
    SELECT id FROM received WHERE account_id = ? AND id < ? ORDER BY id DESC
    LIMIT 1 OFFSET ${ROWS_PER_PAGE_MAX - 1}`)
  return {
    find(accountId, id) {
      const row = find.get(id, accountId)
      return row === undefined ? undefined : receivedOf(row)
    },
    list(filter): InboxPage {
      const before = filter.before ?? AFTER_EVERY_ID
      const rows = list.all(parametersOf(filter, before))
      const received = rows.slice(0, filter.limit).map(receivedOf)
      const last = received.at(-1)
      if (rows.length > filter.limit && last !== undefined) return { received, next: last.id }
      // The page is not full. If it read as many rows as it may, the next page continues after the last one.
      const lastRow = lastRead.get(filter.accountId, before)
      return { received, next: lastRow === undefined ? null : text(lastRow['id']) }
    },
  }
}

/** Sorts after every id: `~` is the last printable ASCII character. */
const AFTER_EVERY_ID = 'rcv_~'

function parametersOf(filter: InboxFilter, before: string) {
  return {
    $account: filter.accountId,
    $before: before,
    $device: filter.deviceId,
    $from: filter.from?.asWritten ?? null,
    $number: filter.from?.asNumber ?? null,
    $pattern: likePattern(filter.search),
    $since: filter.since ?? 0,
    $until: filter.until ?? Number.MAX_SAFE_INTEGER,
    $limit: filter.limit + 1,
  }
}

function receivedOf(row: Row): ReceivedText {
  return {
    id: text(row['id']),
    deviceId: text(row['device_id']),
    from: text(row['sender']),
    text: text(row['text']),
    simSlot: numberOrNull(row['sim_slot']),
    receivedAt: Number(row['received_at']),
  }
}
