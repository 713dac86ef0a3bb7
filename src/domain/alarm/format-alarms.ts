import { ALARM_TEXT_LENGTH_MAX } from '#contracts/health-bounds.ts'
import type { Alarm } from '#domain/alarm/alarm-store.ts'
import { cutText, oneLine } from '#domain/alert/text/cut-text.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'
import { instant } from '#domain/time.ts'

/**
 * One text about several alarms. If they do not all fit, it ends with the number of the others. If not even
 * the first one fits with that number, the text is the first alarm alone, cut.
 */
export function formatAlarms(alarms: readonly Alarm[]): string {
  const parts = alarms.map(alarm => oneLine(foldText(formatAlarm(alarm))))
  for (let shown = parts.length; shown > 0; shown--) {
    const more = parts.length - shown
    const text = `Roost: ${parts.slice(0, shown).join('; ')}${more === 0 ? '' : `; and ${more} more`}`
    if (text.length <= ALARM_TEXT_LENGTH_MAX) return text
  }
  return cutText(`Roost: ${parts[0]}`, ALARM_TEXT_LENGTH_MAX)
}

function formatAlarm({ message, since, clearedAt, reported }: Alarm): string {
  if (clearedAt === null) return `${message} (since ${minuteOf(since)})`
  if (reported === 'raised') return `Over: ${message} (until ${minuteOf(clearedAt)})`
  return `${message} (${minuteOf(since)} to ${minuteOf(clearedAt)}, over now)`
}

/** `2026-01-31 03:12 UTC`. */
function minuteOf(wallMs: number): string {
  return `${instant(wallMs).slice(0, 16).replace('T', ' ')} UTC`
}
