/** How long a text that came back proves a phone. The console uses it, so it has no schemas. */
import type { DrillPeriod } from '#contracts/drill.ts'

const DAY_MS = 86_400_000

/** How long a phone counts as proven without a plan: a monthly drill that was late is within it. */
const PROVEN_DAYS = 35
/** With a plan: two of its periods. */
const PROVEN_DAYS_OF: Readonly<Record<DrillPeriod, number>> = { day: 2, week: 14, month: 62 }

/** How many days a phone with this plan, or without one, counts as proven. */
export function provenDays(plan: { readonly every: DrillPeriod } | null): number {
  return plan === null ? PROVEN_DAYS : PROVEN_DAYS_OF[plan.every]
}

/** Whether a text of a phone, as answers show it, came back lately. */
export function isProvenAt(
  {
    drill,
    proven,
  }: {
    readonly drill: { readonly every: DrillPeriod } | null
    readonly proven: { readonly sends: string | null }
  },
  nowMs: number,
): boolean {
  return proven.sends !== null && nowMs - Date.parse(proven.sends) < provenDays(drill) * DAY_MS
}
