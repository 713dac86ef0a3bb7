import { ALERT_SEVERITIES, type AlertSeverity } from '#contracts/webhook.ts'
import { localDay, minutesOf, wallMsOf } from '#domain/on-call/local-time.ts'
import type { Person } from '#domain/on-call/on-call-store.ts'

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
  const zone = timeZone ?? machineZone
  const nights = minutesOf(quiet.to) < minutesOf(quiet.from) ? 1 : 0
  const today = localDay(atMs, zone)
  for (const day of [today - 1, today, today + 1]) {
    const until = wallMsOf(day + nights, quiet.to, zone)
    if (wallMsOf(day, quiet.from, zone) <= atMs && atMs < until) return until
  }
  return null
}
