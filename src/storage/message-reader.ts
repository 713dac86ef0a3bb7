/**
 * Reads lists of messages, for a listener. A page reads a bounded number of rows, and may therefore be short
 * although more pages follow. So a filter with few matches costs only milliseconds a page in a database of
 * any size, and filters need no index that would slow down accepting messages. A span of time is a range of
 * serials. Only the phone number and the status `failed` have an index.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PRETEND_DRIVER } from '#contracts/phone-orders.ts'
import type { MessageFilter, MessageReader, MessageSlice } from '#domain/message/message-reader.ts'
import { messageOfRow } from '#storage/message-row.ts'
import { PART_SERIALS, SERIALS_PER_MS } from '#storage/message-serial.ts'
import type { Row } from '#storage/row.ts'
import { optional } from '#storage/row.ts'
import { contains, lastRow, SEARCHED_BYTES_MAX, searchedText } from '#storage/search-pattern.ts'

const ROWS_PER_PAGE_MAX = 5000
/** The same limit for rows that another index finds. It is lower, because they are spread over the file. */
const SPREAD_ROWS_PER_PAGE_MAX = 500
const ROWS_PER_COUNT_MAX = 10_000
/** Parts of the number index (`migrations/019-message-rows.ts`) that one step searches: 8 months. */
const PARTS_PER_STEP_MAX = 600

const IS_WAITING = "status IN ('queued', 'sending')"

/** SQL that is true of the rows of a list. */
const matches = (database: DatabaseSync) => `
  ($status IS NULL OR status = $status OR ($status = 'waiting' AND ${IS_WAITING}))
  AND ($device IS NULL OR device_id = $device)
  AND (kind = $kind OR ($kind IS NULL AND kind <> 'drill')) AND ($webhook IS NULL OR webhook_id = $webhook)
  AND ($reason IS NULL OR failure ->> '$.code' = $reason)
  AND ($failedSince IS NULL OR (status = 'failed' AND timeline ->> '$[#-1][1]' >= $failedSince))
  AND ${contains(database, { text: 'text', number: 'phone_number' })}
  AND created_at >= $since AND created_at <= $until`
const IN_SPAN = 'account_id = $account AND test = $test AND serial < $before AND serial >= $from'

/** The serials still to search: from the newest, excluded, down to the oldest, included. */
interface Span {
  readonly before: number
  readonly from: number
}

interface Statements {
  /** How many rows a page may read. */
  readonly rowsMax: number
  /** The matching rows of a span. */
  readonly list: StatementSync
  /** The serial of the last row that a page may read, row `$rows` of a span. None: the span has fewer. */
  readonly lastRead: StatementSync
  /** The same for a search, of which the row is also the last one whose texts fit into `$bytes`. */
  readonly lastSearched: StatementSync
}

interface NumberStatements {
  /** The parts of the index, newest first, that have a message to a number. Most parts have none. */
  readonly parts: StatementSync
  /** The serials of the messages to a number in one part of the index, of all accounts. */
  readonly serials: StatementSync
  /** The matching rows among these serials. */
  readonly rows: StatementSync
}

interface PageRows {
  readonly rows: Row[]
  /** The serial at which the next page continues; null: the search has reached the end. */
  readonly next: number | null
}

/** Opens the reader on a read-only connection. */
export function openMessageReader(database: DatabaseSync): MessageReader {
  const find = database.prepare('SELECT * FROM message WHERE id = ? AND account_id = ? AND test = ?')
  const ends = database.prepare(`
    SELECT (SELECT min(serial) FROM message WHERE account_id = $account AND test = $test) AS oldest,
      (SELECT max(serial) FROM message WHERE account_id = $account AND test = $test) AS newest`)
  const ofAccount = prepareSpan(database, { condition: 'true', rowsMax: ROWS_PER_PAGE_MAX })
  const failed = prepareSpan(database, { condition: "status = 'failed'", rowsMax: SPREAD_ROWS_PER_PAGE_MAX })
  const count = database.prepare(`
    SELECT count(*) AS "all", sum(${IS_WAITING}) AS waiting, sum(status = 'failed') AS failed FROM message
    WHERE ${IN_SPAN} AND ${matches(database)} AND ($number IS NULL OR phone_number = $number)`)
  const ofCall = database.prepare(`
    SELECT message.* FROM message_call AS call JOIN message ON message.id = call.message_id
    WHERE call.account_id = ? AND call.test = ? AND call.name = ? ORDER BY message.serial`)
  const callName = database.prepare('SELECT name FROM message_call WHERE message_id = ?')
  const pretends = database.prepare('SELECT 1 FROM device WHERE id = ? AND driver = ?')
  const toNumber = prepareNumber(database)
  return {
    find: (accountId, test, id) => optional(find.get(id, accountId, test ? 1 : 0), messageOfRow),
    list(filter): MessageSlice {
      const end = ends.get({ $account: filter.accountId, $test: filter.test ? 1 : 0 })
      if (end?.['oldest'] == null) return { messages: [], places: [], next: null, lookedBackTo: null }
      const span = spanOf(filter, { from: Number(end['oldest']), before: Number(end['newest']) + 1 })
      const { rows, next } =
        filter.phoneNumber === null
          ? readSpan(listsFailed(filter) ? failed : ofAccount, filter, span)
          : readToNumber(toNumber, filter, span)
      const lookedBackTo = next === null ? null : Math.floor(next / SERIALS_PER_MS)
      const places = rows.map(row => Number(row['serial']))
      return { messages: rows.map(messageOfRow), places, next, lookedBackTo }
    },
    count(filter) {
      const span = spanOf(filter, { from: 0, before: Number.MAX_SAFE_INTEGER })
      const given = { ...parametersOf(filter), $before: span.before, $from: span.from }
      const last = lastReadOf(ofAccount, filter, { ...given, $rows: ROWS_PER_COUNT_MAX })
      const counts = count.get({ ...given, $from: last ?? span.from })
      const [all, waiting, failed] = [counts?.['all'], counts?.['waiting'], counts?.['failed']].map(Number)
      return { all: all ?? 0, waiting: waiting ?? 0, failed: failed ?? 0, isMore: last !== null }
    },
    findCall: ({ accountId, test, name }) => ofCall.all(accountId, test ? 1 : 0, name).map(messageOfRow),
    callNameOf(messageId) {
      const row = callName.get(messageId)
      return row === undefined ? null : String(row['name'])
    },
    isPretend: deviceId => pretends.get(deviceId, PRETEND_DRIVER) !== undefined,
  }
}

/** Prepares the search of a span in the rows that meet an SQL condition, for which there is an index. */
function prepareSpan(
  database: DatabaseSync,
  { condition, rowsMax }: { readonly condition: string; readonly rowsMax: number },
): Statements {
  const searched = `${IN_SPAN} AND ${condition}`
  const list = database.prepare(`
    SELECT * FROM message WHERE ${searched} AND ${matches(database)} ORDER BY serial DESC LIMIT $limit`)
  const lastRead = database.prepare(`
    SELECT serial AS place FROM message WHERE ${searched} ORDER BY serial DESC LIMIT 1 OFFSET $rows - 1`)
  const lastSearched = database.prepare(
    lastRow(`
      SELECT serial AS place, octet_length(text) AS bytes FROM message WHERE ${searched}
      ORDER BY serial DESC LIMIT $rows`),
  )
  for (const statement of [list, lastRead, lastSearched]) statement.setAllowUnknownNamedParameters(true)
  return { rowsMax, list, lastRead, lastSearched }
}

function prepareNumber(database: DatabaseSync): NumberStatements {
  const isToNumber = (part: string, number: string) =>
    `serial / ${PART_SERIALS} = ${part} AND phone_number = ${number} AND phone_number <> ''`
  const parts = database.prepare(`
    WITH RECURSIVE part (number) AS (
      SELECT $newest UNION ALL SELECT number - 1 FROM part WHERE number > $oldest)
    SELECT number FROM part
    WHERE EXISTS (SELECT 1 FROM message WHERE ${isToNumber('part.number', '$number')}) ORDER BY number DESC`)
  const serials = database.prepare(`
    SELECT serial FROM message WHERE ${isToNumber('?', '?')} AND serial < ? AND serial >= ?
    ORDER BY serial DESC LIMIT ?`)
  // The unary `+` keeps SQLite from using the index of accounts: the serials find the rows faster.
  const rows = database.prepare(`
    SELECT * FROM message
    WHERE serial IN (SELECT value FROM json_each($serials)) AND +account_id = $account AND +test = $test
      AND ${matches(database)}
    ORDER BY serial DESC LIMIT $limit`)
  rows.setAllowUnknownNamedParameters(true)
  return { parts, serials, rows }
}

/** Whether only messages that failed can match. */
function listsFailed({ status, reason, failedSince }: MessageFilter): boolean {
  return status === 'failed' || (status === null && (reason !== null || failedSince !== null))
}

function spanOf({ since, until, before }: MessageFilter, all: Span): Span {
  const end = until === null ? all.before : (until + 1) * SERIALS_PER_MS
  const start = since === null ? all.from : since * SERIALS_PER_MS
  return { before: Math.min(all.before, before ?? all.before, end), from: Math.max(all.from, start) }
}

/** Reads at most `rowsMax` rows of the span, and SEARCHED_BYTES_MAX bytes for a search. */
function readSpan(statements: Statements, filter: MessageFilter, span: Span): PageRows {
  const given = { ...parametersOf(filter), $before: span.before, $from: span.from }
  const last = lastReadOf(statements, filter, { ...given, $rows: statements.rowsMax })
  const rows = statements.list.all({ ...given, $from: last ?? span.from, $limit: filter.limit + 1 })
  return pageOf(rows, filter.limit, last)
}

/** The serial of the last row that may be read; null: all may. */
function lastReadOf(
  { lastRead, lastSearched }: Statements,
  { search }: MessageFilter,
  given: ReturnType<typeof parametersOf> & { readonly $rows: number },
): number | null {
  const end = (search === null ? lastRead : lastSearched).get({ ...given, $bytes: SEARCHED_BYTES_MAX })
  return end === undefined ? null : Number(end['place'])
}

/**
 * Reads the messages to a number. The first step reads only as many as the page holds. If other filters
 * reject some of them, the second step reads up to SPREAD_ROWS_PER_PAGE_MAX more.
 */
function readToNumber(statements: NumberStatements, filter: MessageFilter, span: Span): PageRows {
  const rows: Row[] = []
  let next: number | null = span.before
  for (const rowsMax of [filter.limit + 1, SPREAD_ROWS_PER_PAGE_MAX]) {
    const limit = filter.limit + 1 - rows.length
    if (limit === 0 || next === null) break
    const step: SerialStep = { number: filter.phoneNumber, span: { ...span, before: next }, rowsMax }
    const found = findSerials(statements, step)
    const $serials = JSON.stringify(found.serials)
    rows.push(...statements.rows.all({ ...parametersOf(filter), $serials, $limit: limit }))
    next = found.next
  }
  return pageOf(rows, filter.limit, next)
}

interface SerialStep {
  readonly number: string | null
  readonly span: Span
  readonly rowsMax: number
}

/** Finds the newest messages to a number in at most PARTS_PER_STEP_MAX parts of the index. */
function findSerials({ parts, serials }: NumberStatements, { number, span, rowsMax }: SerialStep) {
  const found: number[] = []
  const newest = Math.floor(span.before / PART_SERIALS)
  const end = Math.floor(span.from / PART_SERIALS)
  const oldest = Math.max(end, newest - PARTS_PER_STEP_MAX)
  for (const part of parts.all({ $newest: newest, $oldest: oldest, $number: number })) {
    const limit = rowsMax - found.length
    const rows = serials.all(part['number'] ?? null, number, span.before, span.from, limit)
    for (const { serial } of rows) found.push(Number(serial))
    if (found.length === rowsMax) return { serials: found, next: found.at(-1) ?? null }
  }
  return { serials: found, next: oldest === end ? null : oldest * PART_SERIALS }
}

/**
 * Makes the page. A row beyond `limit` only shows that the page is full; then the next page continues after
 * the last row of this one. Otherwise it continues where the search stopped (`next`).
 */
function pageOf(rows: readonly Row[], limit: number, next: number | null): PageRows {
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? Number(page.at(-1)?.['serial']) : next }
}

function parametersOf(filter: MessageFilter) {
  return {
    $account: filter.accountId,
    $test: filter.test ? 1 : 0,
    $status: filter.status,
    $device: filter.deviceId,
    $number: filter.phoneNumber,
    $kind: filter.kind,
    $webhook: filter.webhookId,
    $reason: filter.reason,
    $failedSince: filter.failedSince,
    $search: searchedText(filter.search),
    $since: filter.since ?? 0,
    $until: filter.until ?? Number.MAX_SAFE_INTEGER,
  }
}
