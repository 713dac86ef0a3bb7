import type { UsageResource } from '#contracts/account.ts'
import type { UsageOfDay } from '#domain/account/account-store.ts'
import type { Plan } from '#domain/account/plan.ts'
import { date, monthOf } from '#domain/time.ts'

/** Reads how much an account used. */
export interface UsageReader {
  ofDay(accountId: string, day: number): UsageOfDay
  /** Messages accepted on these days, both included. */
  smsBetween(accountId: string, firstDay: number, lastDay: number): number
}

/** Usage and limits as the API shows them; the billing period is the calendar month, UTC. */
export function describeUsage(plan: Plan, read: UsageRead): UsageResource {
  const { firstDay, lastDay } = monthOf(read.wallMs)
  return {
    plan: plan.name,
    billing: { currentPeriodStart: date(firstDay), currentPeriodEnd: date(lastDay) },
    usage: {
      smsToday: read.today.sms,
      smsThisMonth: read.smsThisMonth,
      '2faToday': read.today.twoFactor,
    },
    limits: {
      smsPerDay: plan.smsPerDay,
      '2faPerDay': plan.twoFactorPerDay,
      devices: plan.devices,
    },
  }
}

export interface UsageRead {
  readonly wallMs: number
  readonly today: UsageOfDay
  readonly smsThisMonth: number
}
