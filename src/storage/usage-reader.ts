import type { DatabaseSync } from 'node:sqlite'
import type { UsageReader } from '#domain/account/describe-usage.ts'

/** Reads usage counters, for a listener. */
export function openUsageReader(database: DatabaseSync): UsageReader {
  const ofDay = database.prepare('SELECT sms, two_factor FROM usage_day WHERE account_id = ? AND day = ?')
  const sum = database.prepare(`
    SELECT coalesce(sum(sms), 0) AS sms FROM usage_day WHERE account_id = ? AND day BETWEEN ? AND ?`)
  return {
    ofDay(accountId, day) {
      const row = ofDay.get(accountId, day)
      return { sms: Number(row?.['sms'] ?? 0), twoFactor: Number(row?.['two_factor'] ?? 0) }
    },
    smsBetween: (accountId, first, last) => Number(sum.get(accountId, first, last)?.['sms'] ?? 0),
  }
}
