/** Reads what `roost report` counts, of all accounts together. The texts in the rows may be anything. */
import { existsSync } from 'node:fs'
import { QUARTERS_PER_DAY } from '#domain/account/day-counts.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'
import { readOnce } from '#storage/database.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { SERIALS_PER_MS } from '#storage/message-serial.ts'
import { expectSchema } from '#storage/migrate.ts'
import { text } from '#storage/row.ts'

/** Messages that were accepted on one day and ended, or stand, in the same way. */
export interface OutcomeRow {
  /** Whole days since 1970. */
  readonly day: number
  readonly kind: string
  readonly status: string
  /** Empty: it has not failed. */
  readonly code: string
  readonly count: number
  /** When the first and the last one were accepted, milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
}

/** @throws Error when there is no database, or one of another version; errors of SQLite */
export function readReportRows(file: string, { days, wallMs }: { days: number; wallMs: number }) {
  if (!existsSync(file)) throw new Error('there is no database yet: start the gateway once (roost serve)')
  const firstDay = dayOf(wallMs) - days + 1
  return readOnce(file, database => {
    expectSchema(database)
    const phones = database.prepare('SELECT protocol, driver, last_seen_at FROM device ORDER BY last_seen_at')
    const outcomes = database.prepare(`
      SELECT created_at / ${DAY_MS} AS day, kind, status,
        CASE WHEN json_valid(failure) THEN failure ->> '$.code' ELSE '' END AS code,
        count(*) AS count, min(created_at) AS first_at, max(created_at) AS last_at
      FROM message WHERE serial >= ? AND test = 0 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`)
    const accounts = database.prepare('SELECT DISTINCT account_id FROM usage_quarter')
    const ids = accounts.all().map(row => text(row['account_id']))
    const counts = openDayCountReader(database)
    return {
      phones: phones.all().map(row => ({
        protocol: text(row['protocol']),
        driver: text(row['driver']),
        lastSeenAt: Number(row['last_seen_at']),
      })),
      outcomes: outcomes.all(firstDay * DAY_MS * SERIALS_PER_MS).map(
        (row): OutcomeRow => ({
          day: Number(row['day']),
          kind: text(row['kind']),
          status: text(row['status']),
          code: text(row['code']),
          count: Number(row['count']),
          firstAt: Number(row['first_at']),
          lastAt: Number(row['last_at']),
        }),
      ),
      days: Array.from({ length: days }, (_, index) => {
        const from = (firstDay + index) * QUARTERS_PER_DAY
        const each = ids.map(id => counts(id, from, from + QUARTERS_PER_DAY))
        const sums = each[0]?.map((_, place) => each.reduce((sum, values) => sum + (values[place] ?? 0), 0))
        return { day: firstDay + index, values: sums ?? [] }
      }),
    }
  })
}
