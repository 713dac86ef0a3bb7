import { UsageResource } from '#contracts/account.ts'
import { describeUsage } from '#domain/account/describe-usage.ts'
import { dayOf, monthOf } from '#domain/time.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import type { Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type AccountPorts = Pick<RoutePorts, 'usage' | 'plan' | 'wallMs'>

/** The route for usage and limits of the account. */
export function accountRoutes(ports: AccountPorts): Route[] {
  return knownRoutes({ tag: 'account', access: 'key', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/account/usage',
      operation: {
        id: 'getUsage',
        summary: 'Usage and limits',
        description:
          'Counters of the current UTC day and calendar month, next to the limits of the plan; a limit of ' +
          '-1 means unlimited.',
        response: UsageResource,
        example: {
          data: {
            plan: 'standard',
            billing: { currentPeriodStart: '2026-01-01', currentPeriodEnd: '2026-01-31' },
            usage: { smsToday: 12, smsThisMonth: 240, '2faToday': 3 },
            limits: { smsPerDay: 1000, '2faPerDay': -1, devices: 5 },
          },
        },
      },
      handle: ({ principal }) => {
        const wallMs = ports.wallMs()
        const { firstDay, lastDay } = monthOf(wallMs)
        const today = ports.usage.ofDay(principal.accountId, dayOf(wallMs))
        const smsThisMonth = ports.usage.smsBetween(principal.accountId, firstDay, lastDay)
        return { data: describeUsage(ports.plan(principal.plan), { wallMs, today, smsThisMonth }) }
      },
    },
  ])
}
