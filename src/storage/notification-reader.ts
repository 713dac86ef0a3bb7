import type { DeliveryFilter, DeliveryReader } from '#domain/notification/delivery-reader.ts'
import { deliveryOf } from '#storage/notification-row.ts'
import { optional } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Rows that one page reads at most, so that a filter with few matches costs only milliseconds. */
const ROWS_PER_PAGE_MAX = 5000

/** Reads deliveries of notifications, for a listener. */
export function openDeliveryReader(database: DatabaseSync): DeliveryReader {
  const list = database.prepare(`
    SELECT * FROM (
      SELECT * FROM notification_delivery WHERE account_id = $account AND seq < $before ORDER BY seq DESC
      LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ($status IS NULL OR status = $status) AND ($event IS NULL OR event = $event)
      AND ($subject IS NULL OR subject_id = $subject)
      AND created_at >= $since AND created_at <= $until
    ORDER BY seq DESC LIMIT $limit`)
  const lastRead = database.prepare(`
    SELECT seq FROM notification_delivery WHERE account_id = ? AND seq < ? ORDER BY seq DESC
    LIMIT 1 OFFSET ${ROWS_PER_PAGE_MAX - 1}`)
  const find = database.prepare('SELECT * FROM notification_delivery WHERE id = ? AND account_id = ?')
  return {
    find: (accountId, id) => optional(find.get(id, accountId), deliveryOf),
    list(filter) {
      const before = filter.before ?? Number.MAX_SAFE_INTEGER
      const rows = list.all(parametersOf(filter, before))
      const shown = rows.slice(0, filter.limit)
      const deliveries = shown.map(deliveryOf)
      const last = shown.at(-1)
      if (rows.length > filter.limit && last !== undefined) return { deliveries, next: Number(last['seq']) }
      // The page is not full. If it read as many rows as it may, the next page continues after the last one.
      const lastRow = lastRead.get(filter.accountId, before)
      return { deliveries, next: lastRow === undefined ? null : Number(lastRow['seq']) }
    },
  }
}

function parametersOf(filter: DeliveryFilter, before: number) {
  return {
    $account: filter.accountId,
    $before: before,
    $status: filter.status,
    $event: filter.event,
    $subject: filter.messageId,
    $since: filter.since ?? 0,
    $until: filter.until ?? Number.MAX_SAFE_INTEGER,
    $limit: filter.limit + 1,
  }
}
