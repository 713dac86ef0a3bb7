/** How long a text that came back proves a phone. The console uses it, so it has no schemas. */
import type { DrillPeriod } from '#contracts/drill.ts'

const DAY_MS = 86_400_000

/** How long a phone counts as proven without a plan: a monthly drill that was late is within it. */
const PROVEN_DAYS = 35
/** With a plan: two of its periods. */
const PROVEN_DAYS_OF: Readonly<Record<DrillPeriod, number>> = { day: 2, week: 14, month: 62 }

/** Whether a text of a phone with this plan, or without one, came back lately. `sends`: when it did last. */
export function isProvenAt(
  sends: string | number | null,
  plan: { readonly every: DrillPeriod } | null,
  nowMs: number,
): boolean {
  const days = plan === null ? PROVEN_DAYS : PROVEN_DAYS_OF[plan.every]
  return sends !== null && nowMs - new Date(sends).getTime() < days * DAY_MS
}
