import { ALERT_SEVERITIES, type AlertSeverity } from '#contracts/webhook.ts'
import { localDay, minutesOf, wallMsOf } from '#domain/on-call/local-time.ts'
import type { Person, QuietHours } from '#domain/on-call/on-call-store.ts'

interface QuietFacts {
  /** Null: unknown. */
  readonly severity: AlertSeverity | null
  readonly atMs: number
  /** The zone of a person without one. */
  readonly machineZone: string
}

/**
 * When the quiet hours end that hold back an alert of this severity for this person, wall-clock milliseconds;
 * null if nothing holds it back.
 */
export function quietUntil(
  { quiet, timeZone }: Pick<Person, 'quiet' | 'timeZone'>,
  { severity, atMs, machineZone }: QuietFacts,
): number | null {
  if (quiet === null || severity === null || severity === 'critical') return null
  if (ALERT_SEVERITIES.indexOf(severity) >= ALERT_SEVERITIES.indexOf(quiet.below)) return null
  return spanUntil(quiet, atMs, timeZone ?? machineZone)
}

/** When the span of local time ends that this time is in; null: it is in none. */
export function spanUntil(
  { from, to }: Pick<QuietHours, 'from' | 'to'>,
  atMs: number,
  zone: string,
): number | null {
  const nights = minutesOf(to) < minutesOf(from) ? 1 : 0
  const today = localDay(atMs, zone)
  for (const day of [today - 1, today, today + 1]) {
    const until = wallMsOf(day + nights, to, zone)
    if (wallMsOf(day, from, zone) <= atMs && atMs < until) return until
  }
  return null
}
