import { type Language, say } from '#contracts/words.ts'
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
export function formatAlarms(alarms: readonly Alarm[], reader: Reader, language: Language): string {
  const hasEnded = alarms.some(({ clearedAt }) => clearedAt !== null)
  const parts = alarms.map(alarm => {
    const isNew = hasEnded && alarm.clearedAt === null
    const text = formatAlarm(alarm, reader, language)
    return joinedLine(foldText(isNew ? say(language, 'New: {text}', { text }) : text))
  })
  for (let shown = parts.length; shown > 0; shown--) {
    const more = parts.length - shown
    const rest = more === 0 ? [] : [say(language, 'and {count} more', { count: more })]
    const text = `Roost: ${[...parts.slice(0, shown), ...rest].join('; ')}`
    if (text.length <= ALARM_TEXT_LENGTH_MAX) return text
  }
  return cutText(`Roost: ${parts[0]}`, ALARM_TEXT_LENGTH_MAX)
}

/** How the messages of NO_DEVICE_ONLINE and DEVICE_OFFLINE begin. */
const AWAY = /^(.+?) is (offline|online)(?=[,;]|$)/

function formatAlarm(alarm: Alarm, reader: Reader, language: Language): string {
  const { code, message, said, since, clearedAt, reported } = alarm
  const start = clockOf(since, reader)
  if (clearedAt === null) return say(language, '{text} (since {start})', { text: said, start })
  const end = clockOf(clearedAt, reader)
  if (reported === 'raised') return say(language, 'Over: {text} (until {end})', { text: said, end })
  const isAbsence = code === 'NO_DEVICE_ONLINE' || code === 'DEVICE_OFFLINE'
  const [, name, state] = (isAbsence ? AWAY.exec(message) : null) ?? []
  if (name === undefined)
    return say(language, '{text} ({start} to {end}, over now)', { text: said, start, end })
  return state === 'online'
    ? say(language, 'No phone was online from {start} to {end}', { start, end })
    : say(language, '{name} was offline from {start} to {end}', { name, start, end })
}
