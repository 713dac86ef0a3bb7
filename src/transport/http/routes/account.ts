import { UsageResource } from '#contracts/account.ts'
import { describeUsage, type UsageReader } from '#domain/account/describe-usage.ts'
import type { Plan } from '#domain/account/plan.ts'
import { dayOf, monthOf } from '#domain/time.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface AccountPorts {
  readonly usage: UsageReader
  readonly plan: (name: string) => Plan
  readonly wallMs: () => number
}

/** The route for usage and limits of the account. */
export function accountRoutes(ports: AccountPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/account/usage',
      access: 'key',
      body: 'none',
      operation: {
        id: 'getUsage',
        tag: 'account',
        summary: 'Usage and limits',
        response: UsageResource,
        problems: [401, 429, 503],
        example: EXAMPLES.usage,
      },
      handle: ({ principal }) => {
        const wallMs = ports.wallMs()
        const { firstDay, lastDay } = monthOf(wallMs)
        const today = ports.usage.ofDay(principal.accountId, dayOf(wallMs))
        const smsThisMonth = ports.usage.smsBetween(principal.accountId, firstDay, lastDay)
        return { data: describeUsage(ports.plan(principal.plan), { wallMs, today, smsThisMonth }) }
      },
    },
  ]
}
