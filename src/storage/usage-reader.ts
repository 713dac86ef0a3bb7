import type { DatabaseSync } from 'node:sqlite'
import { QUARTERS_PER_DAY } from '#domain/account/day-counts.ts'
import type { UsageReader } from '#domain/account/describe-usage.ts'

/** Reads how much accounts used, from their counters. The column `accepted` includes the codes. */
export function openUsageReader(database: DatabaseSync): UsageReader {
  const sum = database.prepare(`
    SELECT sum(accepted - two_factor) AS sms, sum(two_factor) AS two_factor FROM usage_quarter
    WHERE account_id = ? AND quarter >= ? AND quarter < ?`)
  const between = (accountId: string, first: number, last: number) => {
    const row = sum.get(accountId, first * QUARTERS_PER_DAY, (last + 1) * QUARTERS_PER_DAY)
    return { sms: Number(row?.['sms'] ?? 0), twoFactor: Number(row?.['two_factor'] ?? 0) }
  }
  return {
    ofDay: (accountId, day) => between(accountId, day, day),
    smsBetween: (accountId, first, last) => between(accountId, first, last).sms,
  }
}
