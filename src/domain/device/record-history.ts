import { HALF_HOUR_MS, halfHourOf } from '#domain/device/phone-history.ts'
import type { World } from '#domain/world.ts'

/** Phones whose half-hour is written in one transaction, so that callers are served in between. */
const PHONES_MAX = 500
const PAUSE_MS = 100
/** Rows are written this long after their half-hour, when no clock takes the time for the next one. */
const AFTER_MS = 1_000
const UNKNOWN = { battery: null, charging: null, signal: null }

/** The monotonic time at which the current half-hour has ended. */
export function halfHourEnd({ wallMs, monoMs }: World['now']): number {
  return monoMs + HALF_HOUR_MS - (wallMs % HALF_HOUR_MS) + AFTER_MS
}

/**
 * Writes one row for each phone about the half-hour that has just ended: what it last reported, and what it
 * did. Of a phone that was offline all the time it says no more than that, so that this differs from times
 * of which nothing is known.
 *
 * @param after the id of the last phone that is written; empty: none yet
 */
export function recordHistory({ fleet, deadlines, now, tx, phoneHistory }: World, after: string): void {
  const halfHour = halfHourOf(now.wallMs - HALF_HOUR_MS / 2)
  const ids = [...fleet.phones.keys()].filter(id => id > after).sort()
  for (const id of ids.slice(0, PHONES_MAX)) {
    const phone = fleet.phones.get(id)
    if (phone === undefined) continue
    const { sent, failed, offlineMs } = phone.tally.take(now.monoMs)
    const offlineMinutes = Math.min(30, Math.round(offlineMs / 60_000))
    const { battery, charging, signal } = offlineMinutes === 30 ? UNKNOWN : phone.device
    phoneHistory.save(tx, phone.device, { halfHour, battery, charging, signal, offlineMinutes, sent, failed })
  }
  const isMore = ids.length > PHONES_MAX
  const last = ids[PHONES_MAX - 1] ?? ''
  deadlines.add(isMore ? now.monoMs + PAUSE_MS : halfHourEnd(now), 'history', isMore ? last : '')
}
