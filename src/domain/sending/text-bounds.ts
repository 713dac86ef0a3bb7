/** How many texts about incidents people may get: in an hour each, and in a day beyond the account's plan. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { planOf } from '#domain/account/plan-of.ts'
import type { RecentUse } from '#domain/on-call/recent-use.ts'
import { dayOf } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Texts of a person in an hour, beside ends and replies. One more may say that no more will come. */
const TOLD_PER_HOUR_MAX = 30
/** Kept of them for critical and unknown alerts, and for the first texts of webhooks that used less. */
const KEPT_PER_HOUR = TOLD_PER_HOUR_MAX / 3
const PER_HOUR_MAX = {
  ended: 30,
  replied: 20,
  /** Replies to useless answers: enough to understand what is wrong. */
  useless: 5,
} as const
const EXTRA_MAX = ACCOUNT_BOUNDS.extraTexts.most
const EXTRA_MILD_MAX = EXTRA_MAX - Math.floor(EXTRA_MAX / 3)

/** Whether a person may get a text. `last…`: one more, which says that no more come in that time. */
export type Allowance = 'yes' | 'last-of-hour' | 'last-of-day' | 'no'

export interface AskedText {
  readonly personId: string
  readonly use: 'told' | keyof typeof PER_HOUR_MAX
  /** Whether the alert is critical, or of unknown severity. */
  readonly isUrgent: boolean
  /** Whether it is the first text of its incident to the person. */
  readonly isFirst?: boolean
  /** The webhook or policy of its incident; null: a rehearsal, or it is about none. */
  readonly sourceId?: string | null
}

type Known = Pick<RecentUse, 'sourceId' | 'isUrgent'>

/** What the last hour of a person allows. `isSaid`: it was told that no more texts come. */
export function hourAllows(
  { isUrgent, isFirst = false, sourceId = null }: Pick<AskedText, 'isUrgent' | 'isFirst' | 'sourceId'>,
  told: readonly Known[],
  isSaid: boolean,
): 'yes' | 'last-of-hour' | 'no' {
  const own = told.filter(one => one.sourceId === sourceId)
  if (isFirst && sourceId !== null && own.length < KEPT_PER_HOUR) return 'yes'
  const mild = told.filter(one => !one.isUrgent)
  // The last mild one says so, and is one of these.
  const isMildLeft = isUrgent || mild.length < TOLD_PER_HOUR_MAX - KEPT_PER_HOUR - 1
  if (told.length < TOLD_PER_HOUR_MAX && isMildLeft) return 'yes'
  return isSaid ? 'no' : 'last-of-hour'
}

/** Answers for each text of one change of an account in turn, and counts those that it allows. */
export function textBounds(world: World, accountId: string): (asked: AskedText) => Allowance {
  const { recentUses, now } = world
  const { wallMs } = now
  const list = (kind: RecentUse['kind'], subjectId: string) =>
    recentUses.list({ accountId, kind, subjectId }, wallMs)
  const takeOfDay = dayBound(world, accountId)
  return ({ personId, use, ...asked }) => {
    let allowed: Allowance = 'yes'
    if (use === 'told')
      allowed = hourAllows(asked, list('told', personId), list('hour-over', personId).length > 0)
    else if (list(use, personId).length >= PER_HOUR_MAX[use]) allowed = 'no'
    if (use === 'useless' && list('replied', personId).length >= PER_HOUR_MAX.replied) allowed = 'no'
    if (allowed === 'no' || takeOfDay(asked.isUrgent)) return allowed
    return list('day-over', personId).length > 0 ? 'no' : 'last-of-day'
  }
}

/** Whether the day of the account has room for a text, in its plan or beyond. */
function dayBound(world: World, accountId: string): (isUrgent: boolean) => boolean {
  let left: { plan: number; extra: number; mild: number } | null = null
  return isUrgent => {
    left ??= roomOfDay(world, accountId)
    if (left.plan > 0) {
      left.plan -= 1
      return true
    }
    if (left.extra <= 0 || (!isUrgent && left.mild <= 0)) return false
    left.extra -= 1
    if (!isUrgent) left.mild -= 1
    return true
  }
}

/** How many texts the plan still has today, and how many there are beyond it, mild ones apart. */
export function roomOfDay(world: World, accountId: string) {
  const { usage, tx, now, recentUses } = world
  const { smsPerDay } = planOf(world, accountId)
  const used = usage.usedOn(tx, accountId, dayOf(now.wallMs)).sms
  const plan = smsPerDay === -1 ? Number.POSITIVE_INFINITY : smsPerDay - used
  if (plan > 0) return { plan, extra: EXTRA_MAX, mild: EXTRA_MILD_MAX }
  const extra = recentUses.list({ accountId, kind: 'extra', subjectId: accountId }, now.wallMs)
  const mild = extra.filter(one => !one.isUrgent)
  return { plan: 0, extra: EXTRA_MAX - extra.length, mild: EXTRA_MILD_MAX - mild.length }
}
