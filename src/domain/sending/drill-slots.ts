/**
 * The times of planned drills. One is planned for a local date; who plans asks the rows whether that date had
 * its drill, so clocks, restarts and changes of the plan can cause no second one.
 */
import type { StoredPlan } from '#domain/drill/drill.ts'
import { localDay, wallMsOf } from '#domain/on-call/local-time.ts'
import { DAY_MS } from '#domain/time.ts'

/** Phones of one hour begin at different times within this span. */
const SPREAD_S = 600
/** From this day of a month on, the plan means its last day. */
const LAST_DAYS_FROM = 29
/** A month and a day: no period is longer. */
const DAYS_LOOKED_AT = 32

export interface DrillSlot {
  /** The local date, whole days since 1970. */
  readonly day: number
  /** Wall clock. */
  readonly at: number
}

interface Where {
  readonly deviceId: string
  readonly zone: string
}

/** How much later than its hour a phone's drills begin. */
export function spreadMs(deviceId: string): number {
  let hash = 0
  for (const sign of deviceId) hash = (Math.imul(hash, 31) + sign.charCodeAt(0)) >>> 0
  return (hash % SPREAD_S) * 1000
}

/** The last time of the plan that has come; null: none since the plan was made. */
export function lastSlot(plan: StoredPlan, where: Where, wallMs: number): DrillSlot | null {
  const today = localDay(wallMs, where.zone)
  for (let day = today; day > today - DAYS_LOOKED_AT; day--) {
    const slot = slotOf(plan, where, day)
    if (slot !== null && slot.at <= wallMs) return slot.at >= plan.madeAt ? slot : null
  }
  return null
}

/** The next time of the plan. */
export function nextSlot(plan: StoredPlan, where: Where, wallMs: number): DrillSlot {
  const today = localDay(wallMs, where.zone)
  // The one of yesterday may begin after midnight.
  for (let day = today - 1; day <= today + DAYS_LOOKED_AT; day++) {
    const slot = slotOf(plan, where, day)
    if (slot !== null && slot.at > wallMs) return slot
  }
  return { day: today + 1, at: wallMs + DAY_MS }
}

function slotOf(plan: StoredPlan, { deviceId, zone }: Where, day: number): DrillSlot | null {
  return isDay(plan, day) ? { day, at: wallMsOf(day, plan.at, zone) + spreadMs(deviceId) } : null
}

/** Whether the plan has a drill on this day: of weeks and months that of the day on which it was made. */
function isDay({ every, madeDay }: StoredPlan, day: number): boolean {
  if (every === 'day') return true
  if (every === 'week') return (day - madeDay) % 7 === 0
  const wanted = dayOfMonth(madeDay)
  return wanted < LAST_DAYS_FROM ? dayOfMonth(day) === wanted : dayOfMonth(day + 1) === 1
}

function dayOfMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCDate()
}
