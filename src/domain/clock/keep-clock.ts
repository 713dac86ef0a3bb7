import { DAY_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A clock that is far off is believed after the gateway has run with it for so long. */
const HELD_MS_MAX = 7 * DAY_MS
/** How often the time is written at most, so that a run that removes nothing rarely writes. */
const WRITTEN_EVERY_MS = 600_000

/**
 * Keeps the time that has surely come, and returns it: old rows are removed by it. A wrong clock that is
 * years ahead would make all rows old. A clock that is far off is in doubt until it is set, until the machine
 * or the owner says that it is right, or until the gateway has run for a week. Call this every hour at least.
 */
export function keepClock({ clock, clockRows, tx, now, health }: World): number {
  const { seenAt, heldMs } = clockRows.read()
  const { aheadMs, behindMs } = clock.facts(now)
  if (aheadMs === 0 && behindMs === 0) {
    const trustedAt = clock.trustedAt(now)
    if (Math.abs(trustedAt - seenAt) >= WRITTEN_EVERY_MS || heldMs > 0)
      clockRows.save(tx, { seenAt: trustedAt, heldMs: 0 })
    return trustedAt
  }
  const passedMs = health.retentionRanAt === null ? 0 : now.monoMs - health.retentionRanAt.monoMs
  const isBelieved = heldMs + passedMs >= HELD_MS_MAX
  if (isBelieved) clock.believe()
  const trustedAt = clock.trustedAt(now)
  clockRows.save(tx, { seenAt: trustedAt, heldMs: isBelieved ? 0 : heldMs + passedMs })
  return trustedAt
}

/** The owner says that the machine's clock is right. Returns its time. */
export function confirmClock({ clock, clockRows, tx, now }: World): number {
  clock.believe()
  const seenAt = clock.trustedAt(now)
  clockRows.save(tx, { seenAt, heldMs: 0 })
  return seenAt
}
