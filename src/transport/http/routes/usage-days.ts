import * as v from 'valibot'
import { DayUsage } from '#contracts/day-usage.ts'
import { noted } from '#contracts/noted.ts'
import { TimeZone } from '#contracts/on-call.ts'
import { type DayCountReader, describeDay, quarterOf } from '#domain/account/day-counts.ts'
import { localDay, wallMsOf } from '#domain/on-call/local-time.ts'
import { Validation } from '#transport/http/body.ts'
import { csvAnswer, pageByPage } from '#transport/http/csv.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { countUpTo } from '#transport/http/list-query.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type UsageDayPorts = Pick<RoutePorts, 'dayCounts' | 'wallMs'>

const DAYS_DEFAULT = 30
/** A leap year. */
const DAYS_MAX = 366

const DaysQuery = v.object({
  days: noted(v.optional(countUpTo(DAYS_MAX)), 'Number of days, today included, 1 to 366; default 30.', 30),
  timeZone: noted(
    v.optional(TimeZone),
    'Days of this time zone, a name of the IANA time zone database such as `Europe/Berlin`; default UTC. ' +
      'A day on which the clocks change has 23 or 25 hours.',
    'UTC',
  ),
})

const DAY = { accepted: 12, delivered: 10, sent: 1, failed: 1, received: 2, twoFactor: 3, alerts: 4 }

const TIME_FIELDS: readonly string[] = ['deliveryMs', 'deliveredWithin']
const TIMES = { deliveryMs: { p50: 3200, p95: 9800 }, deliveredWithin: { s5: 8, s30: 9, s300: 10 } }

/** The route of the account's message counters by day. */
export function usageDayRoutes({ dayCounts, wallMs }: UsageDayPorts): Route[] {
  const daysOf = ({ principal, rawQuery }: AuthorizedCall): DayUsage[] => {
    const validation = new Validation()
    const parsed = validation.parseQuery(DaysQuery, readQuery(rawQuery))
    const { days = DAYS_DEFAULT, timeZone = 'UTC' } = validation.complete(parsed)
    return readDays(dayCounts, principal.accountId, { days, timeZone, wallMs: wallMs() })
  }
  return knownRoutes({ tag: 'account', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/usage/days',
      operation: {
        id: 'listUsageDays',
        summary: 'Message counters by day',
        description:
          'The oldest day first, today last. A message and its result count on the day on which the ' +
          'gateway accepted the message. Sandbox messages do not count.',
        query: DaysQuery,
        response: v.array(DayUsage),
        example: { data: [{ ...DAY, day: '2026-01-31', ...TIMES }] },
      },
      handle: call => ({ data: daysOf(call) }),
    },
    {
      method: 'get',
      path: '/api/v1/usage/days.csv',
      operation: {
        id: 'exportUsageDays',
        summary: 'Message counters by day as CSV',
        description: 'The same days, as RFC 4180 in UTF-8. Times to deliver are in milliseconds.',
        query: DaysQuery,
        response: v.string(),
        bare: 'text/csv',
        example: { data: 'day,accepted,delivered\r\n2026-01-31,12,10\r\n' },
      },
      handle(call) {
        const days = daysOf(call)
        const rows = days.map(({ deliveryMs, deliveredWithin: _, ...counts }) => [
          ...Object.values(counts),
          deliveryMs.p50,
          deliveryMs.p95,
        ])
        const counts = Object.keys(days[0] ?? {}).filter(name => !TIME_FIELDS.includes(name))
        return csvAnswer(
          'days.csv',
          [...counts, 'deliveryMsP50', 'deliveryMsP95'],
          pageByPage(() => ({ rows, next: null })),
        )
      },
    },
  ])
}

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
