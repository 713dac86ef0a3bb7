/**
 * Reads lists of messages, for a listener. A page reads a bounded number of rows, and may therefore be short
 * although more pages follow. So a filter with few matches costs only milliseconds a page in a database of
 * any size, and filters need no index that would slow down accepting messages. A span of time is a range of
 * serials. Only the phone number has an index.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { MessageFilter, MessagePage, MessageReader } from '#domain/message/message-reader.ts'
import { messageOf } from '#storage/message-row.ts'
import { SERIALS_PER_MS } from '#storage/message-serial.ts'
import type { Row } from '#storage/row.ts'

const ROWS_PER_PAGE_MAX = 5000
const ROWS_PER_COUNT_MAX = 10_000
/** Parts of the number index (`migrations/019-message-rows.ts`) that a page searches: 16 months. */
const PARTS_PER_PAGE_MAX = 1200
/** Serials of one part of the number index: ten hours. */
const PART_SERIALS = 36_000_000_000

const MATCHES = `
  ($status IS NULL OR status = $status) AND ($device IS NULL OR device_id = $device)
  AND ($kind IS NULL OR kind = $kind) AND ($webhook IS NULL OR webhook_id = $webhook)
  AND ($pattern IS NULL OR text LIKE $pattern ESCAPE '\\' OR phone_number LIKE $pattern ESCAPE '\\')
  AND created_at >= $since AND created_at <= $until`

/** The serials still to search: from the newest, excluded, down to the oldest, included. */
interface Span {
  readonly before: number
  readonly from: number
}

interface Statements {
  /** The matching rows of one step. */
  readonly list: StatementSync
  /** The serial of the last row that the step may read; none: the span has fewer rows. */
  readonly lastRead: StatementSync
}

interface NumberStatements extends Statements {
  /** Whether a part has a message to the number. Most parts have none and need no further query. */
  readonly hasAny: StatementSync
}

interface Walk {
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
  const count = database.prepare(`
    SELECT count(*) AS count FROM (
      SELECT * FROM message WHERE account_id = $account AND test = $test
      ORDER BY serial DESC LIMIT ${ROWS_PER_COUNT_MAX})
    WHERE ${MATCHES} AND ($number IS NULL OR phone_number = $number)`)
  const ofCall = database.prepare(`
    SELECT message.* FROM message_call AS call JOIN message ON message.id = call.message_id
    WHERE call.account_id = ? AND call.test = ? AND call.name = ? ORDER BY message.serial`)
  const callName = database.prepare('SELECT name FROM message_call WHERE message_id = ?')
  const ofAccount = prepareStep(database, 'account_id = $account AND test = $test')
  const isToNumber = (part: string, number: string) =>
    `serial / ${PART_SERIALS} = ${part} AND phone_number = ${number} AND phone_number <> ''`
  const toNumber: NumberStatements = {
    ...prepareStep(database, isToNumber('$part', '$number')),
    hasAny: database.prepare(`SELECT 1 FROM message WHERE ${isToNumber('?', '?')} LIMIT 1`),
  }
  return {
    find(accountId, test, id) {
      const row = find.get(id, accountId, test ? 1 : 0)
      return row === undefined ? undefined : messageOf(row)
    },
    list(filter): MessagePage {
      const end = ends.get({ $account: filter.accountId, $test: filter.test ? 1 : 0 })
      if (end?.['oldest'] == null) return { messages: [], next: null, lookedBackTo: null }
      const span = spanOf(filter, { from: Number(end['oldest']), before: Number(end['newest']) + 1 })
      const walk =
        filter.phoneNumber === null
          ? takeStep(ofAccount, { filter, span, rowsMax: ROWS_PER_PAGE_MAX })
          : walkParts(toNumber, filter, span)
      const messages = walk.rows.map(messageOf)
      const lookedBackTo = walk.next === null ? null : Math.floor(walk.next / SERIALS_PER_MS)
      return { messages, next: walk.next, lookedBackTo }
    },
    count: filter => Number(count.get(parametersOf(filter))?.['count']),
    findCall: ({ accountId, test, name }) => ofCall.all(accountId, test ? 1 : 0, name).map(messageOf),
    callNameOf(messageId) {
      const row = callName.get(messageId)
      return row === undefined ? null : String(row['name'])
    },
  }
}

function prepareStep(database: DatabaseSync, where: string): Statements {
  const step = `FROM message WHERE ${where} AND serial < $before AND serial >= $from ORDER BY serial DESC`
  const list = database.prepare(`
    SELECT * FROM (SELECT * ${step} LIMIT $rows)
    WHERE account_id = $account AND test = $test AND ${MATCHES} ORDER BY serial DESC LIMIT $limit`)
  const lastRead = database.prepare(`SELECT serial ${step} LIMIT 1 OFFSET $rows - 1`)
  for (const statement of [list, lastRead]) statement.setAllowUnknownNamedParameters(true)
  return { list, lastRead }
}

function spanOf({ since, until, before }: MessageFilter, all: Span): Span {
  const end = until === null ? all.before : (until + 1) * SERIALS_PER_MS
  const start = since === null ? all.from : since * SERIALS_PER_MS
  return { before: Math.min(all.before, before ?? all.before, end), from: Math.max(all.from, start) }
}

/** Reads at most `rowsMax` rows of the span. */
function takeStep(
  { list, lastRead }: Statements,
  step: {
    readonly filter: MessageFilter
    readonly span: Span
    readonly rowsMax: number
    readonly part?: number
  },
): Walk {
  const { filter, span, rowsMax, part } = step
  const bounds = { ...parametersOf(filter), $before: span.before, $from: span.from, $rows: rowsMax }
  const given = part === undefined ? bounds : { ...bounds, $part: part }
  const found = list.all({ ...given, $limit: filter.limit + 1 })
  const rows = found.slice(0, filter.limit)
  if (found.length > filter.limit) return { rows, next: Number(rows.at(-1)?.['serial']) }
  const looked = lastRead.get(given)
  return { rows, next: looked === undefined ? null : Number(looked['serial']) }
}

/** Reads the messages to a number, one index part after the other, newest first. */
function walkParts(statements: NumberStatements, filter: MessageFilter, span: Span): Walk {
  const rows: Row[] = []
  const newest = Math.floor(span.before / PART_SERIALS)
  const last = Math.floor(span.from / PART_SERIALS)
  for (let part = newest; part >= last; part--) {
    if (newest - part >= PARTS_PER_PAGE_MAX) return { rows, next: (part + 1) * PART_SERIALS }
    if (statements.hasAny.get(part, filter.phoneNumber) === undefined) continue
    const limit = filter.limit - rows.length
    const step = { filter: { ...filter, limit }, span, rowsMax: ROWS_PER_PAGE_MAX, part }
    const walk = takeStep(statements, step)
    rows.push(...walk.rows)
    if (walk.next !== null) return { rows, next: walk.next }
    if (rows.length === filter.limit && part > last) return { rows, next: part * PART_SERIALS }
  }
  return { rows, next: null }
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
    $pattern: filter.search === null ? null : `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`,
    $since: filter.since ?? 0,
    $until: filter.until ?? Number.MAX_SAFE_INTEGER,
  }
}
