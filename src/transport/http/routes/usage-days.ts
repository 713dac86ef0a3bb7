import * as v from 'valibot'
import { DayUsage } from '#contracts/day-usage.ts'
import { noted } from '#contracts/noted.ts'
import { type DayCountReader, describeDay } from '#domain/account/day-counts.ts'
import { dayOf } from '#domain/time.ts'
import { Validation } from '#transport/http/body.ts'
import { countUpTo } from '#transport/http/list-query.ts'
import type { Route } from '#transport/http/route.ts'

export interface UsageDayPorts {
  readonly dayCounts: DayCountReader
  readonly wallMs: () => number
}

const DAYS_DEFAULT = 30
/** A leap year. */
const DAYS_MAX = 366

const DaysQuery = v.object({
  days: noted(v.optional(countUpTo(DAYS_MAX)), 'Number of days, today included, 1 to 366; default 30.', 30),
})

const DAY = { accepted: 12, delivered: 10, sent: 1, failed: 1, received: 2, twoFactor: 3, alerts: 4 }

/** The route of the account's message counters by day. */
export function usageDayRoutes({ dayCounts, wallMs }: UsageDayPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/usage/days',
      access: 'account',
      body: 'none',
      operation: {
        id: 'listUsageDays',
        tag: 'account',
        summary: 'Message counters by UTC day',
        description:
          'The oldest day first, today last. A message and its result count on the day on which the ' +
          'gateway accepted the message. Sandbox messages do not count.',
        query: DaysQuery,
        response: v.array(DayUsage),
        problems: [400, 401, 429, 503],
        example: { data: [{ ...DAY, day: '2026-01-31', deliveryMs: { p50: 3200, p95: 9800 } }] },
      },
      handle({ principal, rawQuery }) {
        const validation = new Validation()
        const parsed = validation.parseQuery(DaysQuery, new URLSearchParams(rawQuery))
        const { days = DAYS_DEFAULT } = validation.complete(parsed)
        const today = dayOf(wallMs())
        const counted = dayCounts(principal.accountId, today - days + 1, today)
        const list = Array.from({ length: days }, (_, index) => today - days + 1 + index)
        return { data: list.map(day => describeDay(day, counted.get(day))) }
      },
    },
  ]
}
