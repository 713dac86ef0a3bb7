import * as v from 'valibot'
import { DayUsage } from '#contracts/day-usage.ts'
import { type DayCountReader, describeDay } from '#domain/account/day-counts.ts'
import { dayOf } from '#domain/time.ts'
import { Validation } from '#transport/http/body.ts'
import { countUpTo } from '#transport/http/list-query.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface UsageDayPorts {
  readonly dayCounts: DayCountReader
  readonly wallMs: () => number
}

const DAYS_DEFAULT = 30
/** A leap year. */
const DAYS_MAX = 366

const DaysQuery = v.object({
  days: v.optional(countUpTo(DAYS_MAX)),
})

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
        query: DaysQuery,
        response: v.array(DayUsage),
        problems: [400, 401, 429, 503],
        example: EXAMPLES.usageDays,
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
