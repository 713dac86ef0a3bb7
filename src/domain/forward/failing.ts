import type { DisabledReason } from '#contracts/notification.ts'
import { DAY_MS } from '#domain/time.ts'

/** A target is given up after this many days of failures without a success … */
const FAILING_DAYS_MAX = 5
/** … if posts failed on this many of the last five. Days without traffic prove nothing. */
const FAILED_DAYS_MIN = 4

/** The failures of a target since its last success. */
export interface Failing {
  /**
   * Wall clock of the first one, later by as long as the gateway was off since, and by jumps of the clock.
   * Null: the last attempt succeeded, or there was none.
   */
  readonly failingSince: number | null
  /** On which days since then posts failed, rising; only those of the last five days. */
  readonly failedDays: readonly number[]
}

/** The same of a target with a row of its own, which is switched off when it is given up. */
export interface TargetState extends Failing {
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: number | null
}

/** A target that works, as far as is known. */
export const WORKING: TargetState = {
  failingSince: null,
  failedDays: [],
  disabledReason: null,
  disabledAt: null,
}

/** The failures with one more. */
export function withFailure({ failingSince, failedDays }: Failing, wallMs: number): Failing {
  const since = failingSince ?? wallMs
  // The clock may have been set back.
  const day = Math.max(Math.floor((wallMs - since) / DAY_MS), failedDays.at(-1) ?? 0)
  const recent = failedDays.filter(one => one < day && one > day - FAILING_DAYS_MAX)
  return { failingSince: since, failedDays: [...recent, day] }
}

/** Whether the target failed for so long that it is given up. */
export function hasFailedForDays({ failedDays }: Failing): boolean {
  return failedDays.length >= FAILED_DAYS_MIN && (failedDays.at(-1) ?? 0) >= FAILING_DAYS_MAX
}
