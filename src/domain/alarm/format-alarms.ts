import type { Alarm } from '#domain/alarm/alarm-store.ts'
import { cutText, joinedLine } from '#domain/alert/text/cut-text.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'
import { clockOf, type Reader } from '#domain/clock-words.ts'

/** Characters of an alarm text: three GSM-7 segments (3 × 153). */
const ALARM_TEXT_LENGTH_MAX = 459

/**
 * One text about several alarms. If they do not all fit, it ends with the number of the others. If not even
 * the first one fits with that number, the text is the first alarm alone, cut.
 */
export function formatAlarms(alarms: readonly Alarm[], reader: Reader): string {
  const hasEnded = alarms.some(({ clearedAt }) => clearedAt !== null)
  const parts = alarms.map(alarm => {
    const isNew = hasEnded && alarm.clearedAt === null
    return joinedLine(foldText(`${isNew ? 'New: ' : ''}${formatAlarm(alarm, reader)}`))
  })
  for (let shown = parts.length; shown > 0; shown--) {
    const more = parts.length - shown
    const text = `Roost: ${parts.slice(0, shown).join('; ')}${more === 0 ? '' : `; and ${more} more`}`
    if (text.length <= ALARM_TEXT_LENGTH_MAX) return text
  }
  return cutText(`Roost: ${parts[0]}`, ALARM_TEXT_LENGTH_MAX)
}

/** How the messages of NO_DEVICE_ONLINE and DEVICE_OFFLINE begin. */
const AWAY = /^(.+?) is (offline|online)(?=[,;]|$)/

function formatAlarm({ code, message, since, clearedAt, reported }: Alarm, reader: Reader): string {
  const start = clockOf(since, reader)
  if (clearedAt === null) return `${message} (since ${start})`
  const end = clockOf(clearedAt, reader)
  if (reported === 'raised') return `Over: ${message} (until ${end})`
  const isAbsence = code === 'NO_DEVICE_ONLINE' || code === 'DEVICE_OFFLINE'
  const [, name, state] = (isAbsence ? AWAY.exec(message) : null) ?? []
  if (name !== undefined) return `${name} was ${state} from ${start} to ${end}`
  return `${message} (${start} to ${end}, over now)`
}
