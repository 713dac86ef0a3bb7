import type { InboxFilter, InboxPage, InboxReader, ReceivedText } from '#domain/inbox/inbox-reader.ts'
import { numberOrNull, optional, type Row, text, textOrNull } from '#storage/row.ts'
import { contains, lastRow, SEARCHED_BYTES_MAX, searchedText } from '#storage/search-pattern.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Rows that one page reads at most, so that a filter with few matches costs only milliseconds. */
const ROWS_PER_PAGE_MAX = 5000

/** Characters of text on one page, so that pages of long texts do not keep other callers waiting. */
export const PAGE_LENGTH_MAX = 131_072

/** False for a row that retention emptied. The row stays, in case the phone reports the text again. */
const IS_KEPT = "(sender <> '' OR text <> '')"

/** Reads received texts, for a listener. */
export function openInboxReader(database: DatabaseSync): InboxReader {
  const find = database.prepare(`SELECT * FROM received WHERE id = ? AND account_id = ? AND ${IS_KEPT}`)
  const matching = `(
      SELECT * FROM received WHERE account_id = $account AND id < $before AND id >= $last ORDER BY id DESC
      LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ${IS_KEPT} AND ($device IS NULL OR device_id = $device)
      AND ($from IS NULL OR sender IN ($from, $number))
      AND ${contains(database, { text: 'text', number: 'sender' })}
      AND received_at >= $since AND received_at <= $until`
  const list = database.prepare(`SELECT * FROM ${matching} ORDER BY id DESC LIMIT $limit`)
  const count = database.prepare(`SELECT count(*) AS count FROM ${matching}`)
  count.setAllowUnknownNamedParameters(true)
  const timeOf = database.prepare('SELECT received_at FROM received WHERE id = ? AND account_id = ?')
  const lastRead = database.prepare(
    lastRow(`
      SELECT id AS place, octet_length(text) AS bytes FROM received
      WHERE account_id = $account AND id < $before ORDER BY id DESC LIMIT $rows`),
  )
  /** The last text that may be read; null: the end. `bytes`: how many bytes of text. */
  const endOf = (filter: InboxFilter, $bytes: number) => {
    const { accountId, before } = filter
    const given = { $account: accountId, $before: before ?? AFTER_EVERY_ID, $rows: ROWS_PER_PAGE_MAX, $bytes }
    return textOrNull(lastRead.get(given)?.['place'])
  }
  const searchedTo = (filter: InboxFilter) =>
    filter.search === null ? null : endOf(filter, SEARCHED_BYTES_MAX)
  /** If a page that is not full read as much as it may, the next page continues after the last row. */
  const nextOf = (filter: InboxFilter, searched: string | null) =>
    filter.search === null ? endOf(filter, Number.MAX_SAFE_INTEGER) : searched
  return {
    find: (accountId, id) => optional(find.get(id, accountId), receivedOf),
    list(filter): InboxPage {
      const searched = searchedTo(filter)
      const rows = list.all({ ...parametersOf(filter), $last: searched ?? '' })
      const received = firstOf(rows.slice(0, filter.limit).map(receivedOf))
      const last = received.at(-1)
      const isFull = rows.length > received.length && last !== undefined
      const next = isFull ? last.id : nextOf(filter, searched)
      const at = next === null ? null : timeOf.get(next, filter.accountId)
      return { received, next, lookedBackTo: numberOrNull(at?.['received_at'] ?? null) }
    },
    count(filter) {
      const searched = searchedTo(filter)
      const all = Number(count.get({ ...parametersOf(filter), $last: searched ?? '' })?.['count'])
      return { all, isMore: nextOf(filter, searched) !== null }
    },
  }
}

/** The first texts, up to `PAGE_LENGTH_MAX` characters, and at least one. */
function firstOf(texts: readonly ReceivedText[]): readonly ReceivedText[] {
  let length = 0
  const end = texts.findIndex(received => {
    length += received.text.length
    return length > PAGE_LENGTH_MAX
  })
  return end === -1 ? texts : texts.slice(0, Math.max(1, end))
}

/** Sorts after every id: `~` is the last printable ASCII character. */
const AFTER_EVERY_ID = 'rcv_~'

function parametersOf(filter: InboxFilter) {
  return {
    $account: filter.accountId,
    $before: filter.before ?? AFTER_EVERY_ID,
    $device: filter.deviceId,
    $from: filter.from?.asWritten ?? null,
    $number: filter.from?.asNumber ?? null,
    $search: searchedText(filter.search),
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
    sentAt: numberOrNull(row['sent_at']),
  }
}
