import type { Now } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * The clock counts as wrong when it is further ahead of its last known time than this. Retention then removes
 * nothing, for as long as this at most.
 */
const CLOCK_AHEAD_MS_MAX = 7 * 86_400_000

/** How often the believed time is written at most, so that a run that removes nothing rarely writes. */
const WRITTEN_EVERY_MS = 600_000

/**
 * Whether the wall clock may be used to remove old rows. A wrong clock that is years ahead would make all
 * rows old. So after a jump ahead, nothing is removed until the clock is set back, the owner confirms it, or
 * the gateway has run for a week. The caller runs this every hour at least.
 *
 * @param lastRun the time of the last call of this process; null: this is the first one
 */
export function believeClock({ retention, tx, now }: World, lastRun: Now | null): boolean {
  const { seenAt, heldMs } = retention.clock(tx)
  if (!isFarAhead(now.wallMs, seenAt)) {
    if (now.wallMs - seenAt >= WRITTEN_EVERY_MS || heldMs > 0)
      retention.saveClock(tx, { seenAt: Math.max(seenAt, now.wallMs), heldMs: 0 })
    return true
  }
  const passedMs =
    lastRun === null ? 0 : Math.min(now.monoMs - lastRun.monoMs, Math.max(now.wallMs - lastRun.wallMs, 0))
  const isBelieved = heldMs + passedMs >= CLOCK_AHEAD_MS_MAX
  retention.saveClock(
    tx,
    isBelieved ? { seenAt: now.wallMs, heldMs: 0 } : { seenAt, heldMs: heldMs + passedMs },
  )
  return isBelieved
}

/** Whether the clock is so far ahead of the last believed time that it may be wrong. */
export function isFarAhead(wallMs: number, seenAt: number): boolean {
  return seenAt > 0 && wallMs - seenAt > CLOCK_AHEAD_MS_MAX
}
