import type { AccountResource } from '#contracts/account.ts'
import { dayOf } from '#domain/time.ts'
import { openReadOnly } from '#storage/database.ts'
import { openUsageReader } from '#storage/usage-reader.ts'

/** Counts the messages and codes of these accounts today (UTC). Reads the database without the writer. */
export function readUsageToday(file: string, accounts: readonly AccountResource[]) {
  const database = openReadOnly(file)
  try {
    const reader = openUsageReader(database)
    const days = accounts.map(({ accountId }) => reader.ofDay(accountId, dayOf(Date.now())))
    const sum = (kind: 'sms' | 'twoFactor') => days.reduce((total, day) => total + day[kind], 0)
    return { sms: sum('sms'), twoFactor: sum('twoFactor') }
  } finally {
    database.close()
  }
}
