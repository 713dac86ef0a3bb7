import { ALARM_CLEAR_MS_MIN, ALARM_TEXTS_PER_HOUR_MAX } from '#contracts/bounds.ts'
import type { HealthCode } from '#contracts/health.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import { type Language, say } from '#contracts/words.ts'
import { type Alarm, alarmKey } from '#domain/alarm/alarm-store.ts'
import { cutText, joinedLine } from '#domain/alert/text/cut-text.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'
import { alarmRecipients } from '#domain/chosen-configuration.ts'
import { clockOf, type Reader } from '#domain/clock-words.ts'
import type { Phone } from '#domain/device/phone.ts'
import { isProven } from '#domain/drill/drill.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { hasRoom, sendText } from '#domain/sending/send-text.ts'
import { HOUR_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Characters of an alarm text: three GSM-7 segments (3 × 153). */
const ALARM_TEXT_LENGTH_MAX = 459

/** Problems of a phone because of which others are preferred. */
const FAILING: ReadonlySet<HealthCode> = new Set(['MESSAGES_FAILING', 'CHAIN_BROKEN'])

/** How the messages of NO_DEVICE_ONLINE and DEVICE_OFFLINE begin. */
const AWAY = /^(.+?) is (offline|online)(?=[,;]|$)/

/** Time to live of an alarm text. */
const ALARM_TTL_MS = 86_400_000

/** How long a text waits for a problem that is gone to be over. A problem may come and go for hours. */
const END_WAIT_MS_MAX = 2 * ALARM_CLEAR_MS_MIN

/**
 * Sends the owner one text about all alarms that were not reported yet. The text waits while no phone works
 * or the last 60 minutes have had their `ALARM_TEXTS_PER_HOUR_MAX` texts, and says when each problem began.
 * The same transaction records what the text reports.
 */
export function sendAlarmText(world: World): void {
  const { alarms, tx, settings, now } = world
  const unreported = readyToTell(world)
  if (unreported.length === 0) return
  const recipients = alarmRecipients(world)
  if (recipients.length > 0) {
    const phone = workingPhone(world)
    if (phone === null || textsLeft(world) < recipients.length) return
    sendToOwner(world, {
      text: formatAlarms(unreported, { nowMs: now.wallMs, timeZone: settings.timeZone() }, settings.language),
      recipients,
      phone,
    })
  }
  for (const alarm of unreported) {
    const reported = alarm.clearedAt === null ? 'raised' : 'cleared'
    // Without recipients a present problem stays unreported, so that recipients added later get a text.
    if (recipients.length > 0 || reported === 'cleared') alarms.save(tx, { ...alarm, reported })
  }
}

/**
 * The alarms that were not reported yet, except those whose problem has just gone: one text then says from
 * when to when it lasted. Meanwhile the end of other problems waits for that text.
 */
function readyToTell(world: World): readonly Alarm[] {
  const unreported = world.alarms.unreported(world.tx)
  const ready = unreported.filter(alarm => !mayEndSoon(world, alarm))
  return ready.length < unreported.length && ready.every(({ clearedAt }) => clearedAt !== null) ? [] : ready
}

/** Whether the problem is gone, and not known to come and go. */
function mayEndSoon({ health, now }: World, alarm: Alarm): boolean {
  const key = `${alarm.accountId} ${alarmKey(alarm)}`
  const firstGoneAt = health.firstGoneAt.get(key)
  if (alarm.clearedAt !== null || firstGoneAt === undefined || !health.goneSince.has(key)) return false
  return now.monoMs - firstGoneAt < END_WAIT_MS_MAX
}

/** How many texts about alarms may be sent now, after those of the last 60 minutes. */
export function textsLeft({ alarms, tx, now }: World): number {
  const sent = alarms.countTexts(tx, { since: now.wallMs - HOUR_MS, until: now.wallMs })
  return ALARM_TEXTS_PER_HOUR_MAX - sent
}

/**
 * A phone that can send at once. Phones of the owner (the oldest account) come first, and phones whose texts
 * arrive come before phones whose texts fail, proven ones first.
 */
export function workingPhone(world: World): Phone | null {
  const { fleet, now, settings, healthRows, health, tx } = world
  let failing: Phone | null = null
  const texts = alarmRecipients(world).length
  for (const accountId of healthRows.accountIds(tx)) {
    if (!hasRoom(world, accountId, texts)) continue
    const isFailing = (phone: Phone) =>
      health.problemsOf(accountId).some(({ code, subject }) => FAILING.has(code) && subject === phone.id)
    const unproven = ({ device }: Phone) => (isProven(device, now.wallMs) ? 0 : 1)
    const phones = [...fleet.phonesOf(accountId)].toSorted((a, b) => unproven(a) - unproven(b))
    for (const phone of phones) {
      if (!phone.isReachable || !phone.canSendSoon(now.monoMs, settings.offlineAfterMs)) continue
      if (!isFailing(phone)) return phone
      failing ??= phone
    }
  }
  return failing
}

export interface TextToOwner {
  readonly text: string
  readonly recipients: readonly Recipient[]
  /** The preferred phone; if it disconnects, another phone of the account may send. */
  readonly phone: Phone
}

/** Sends one text to each recipient. The daily quota counts these texts but does not stop them. */
export function sendToOwner(world: World, { text, recipients, phone }: TextToOwner): string[] {
  const { accountId } = phone.device
  return recipients.map(({ phoneNumber, country }) => {
    const ours = { priority: 'high', ttlMs: ALARM_TTL_MS, despiteOptOut: true } as const
    const asked = plainText({ accountId, phoneNumber, country, text, ...ours })
    const { id } = sendText(world, { ...asked, phone, isToPerson: true, isOwed: true })
    world.alarms.noteText(world.tx, world.now.wallMs)
    return id
  })
}

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
