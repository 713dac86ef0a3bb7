import type { DayUsage } from '#contracts/day-usage.ts'
import { type DayCountReader, describeDay, quarterOf } from '#domain/account/day-counts.ts'
import { localDay, wallMsOf } from '#domain/on-call/local-time.ts'

/** Reads the last `days` days of this time zone; the day of `wallMs` is the last one. */
export function readDays(
  read: DayCountReader,
  accountId: string,
  { days, timeZone, wallMs }: { readonly days: number; readonly timeZone: string; readonly wallMs: number },
): DayUsage[] {
  const first = localDay(wallMs, timeZone) - days + 1
  const starts = Array.from({ length: days + 1 }, (_, nth) =>
    quarterOf(wallMsOf(first + nth, '00:00', timeZone)),
  )
  return starts
    .slice(1)
    .map((until, nth) => describeDay(first + nth, read(accountId, starts[nth] ?? until, until)))
}
