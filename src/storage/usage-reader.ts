import type { DatabaseSync } from 'node:sqlite'
import type { UsageReader } from '#domain/account/describe-usage.ts'

/** Reads how much accounts used, from the daily counters. The column `accepted` includes the codes. */
export function openUsageReader(database: DatabaseSync): UsageReader {
  const ofDay = database.prepare(`
    SELECT accepted - two_factor AS sms, two_factor FROM day_count WHERE account_id = ? AND day = ?`)
  const sum = database.prepare(`
    SELECT coalesce(sum(accepted - two_factor), 0) AS sms FROM day_count
    WHERE account_id = ? AND day BETWEEN ? AND ?`)
  return {
    ofDay(accountId, day) {
      const row = ofDay.get(accountId, day)
      return { sms: Number(row?.['sms'] ?? 0), twoFactor: Number(row?.['two_factor'] ?? 0) }
    },
    smsBetween: (accountId, first, last) => Number(sum.get(accountId, first, last)?.['sms'] ?? 0),
  }
}
