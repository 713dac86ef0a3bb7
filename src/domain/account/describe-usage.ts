import type { UsageResource } from '#contracts/account.ts'
import type { UsageOfDay } from '#domain/account/account-store.ts'
import type { Plan } from '#domain/account/plan.ts'
import { date, monthOf } from '#domain/time.ts'

/** Reads how much an account used. A day is in whole days since 1970, UTC. */
export interface UsageReader {
  ofDay(accountId: string, day: number): UsageOfDay
  /** Messages accepted on these days, both included. */
  smsBetween(accountId: string, firstDay: number, lastDay: number): number
}

/** Usage and limits as the API shows them; the billing period is the calendar month, UTC. */
export function describeUsage(plan: Plan, figures: UsageFigures): UsageResource {
  const { firstDay, lastDay } = monthOf(figures.wallMs)
  return {
    plan: plan.name,
    billing: { currentPeriodStart: date(firstDay), currentPeriodEnd: date(lastDay) },
    usage: {
      smsToday: figures.today.sms,
      smsThisMonth: figures.smsThisMonth,
      '2faToday': figures.today.twoFactor,
    },
    limits: {
      smsPerDay: plan.smsPerDay,
      '2faPerDay': plan.twoFactorPerDay,
      devices: plan.devices,
    },
  }
}

export interface UsageFigures {
  readonly wallMs: number
  readonly today: UsageOfDay
  readonly smsThisMonth: number
}
