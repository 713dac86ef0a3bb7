/** Words and sentences of the console. */
import { linkTo } from '#console/route.ts'
import type { HealthProblem } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { DeliveryResource } from '#contracts/notification.ts'
import type { DeviceStatus, MessageStatus } from '#contracts/primitives.ts'

export const MESSAGE_WORDS: Readonly<Record<MessageStatus, string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
}
export const DEVICE_WORDS: Readonly<Record<DeviceStatus, string>> = {
  online: 'Online',
  busy: 'Online, busy sending',
  offline: 'Offline',
}
export const KIND_WORDS: Readonly<Record<MessageResource['kind'], string>> = {
  sms: 'Text',
  '2fa': 'Code',
  webhook: 'Alert',
}

/** The events of notifications, in words. */
export const EVENT_WORDS = [
  ['sms.sent', 'A text was sent'],
  ['sms.delivered', 'A text was delivered'],
  ['sms.failed', 'A text failed'],
  ['sms.received', 'A text came in'],
  ['device.online', 'A phone came online'],
  ['device.offline', 'A phone went offline'],
  ['system.alarm', 'Something is wrong with the gateway'],
  ['system.recovered', 'A problem is over'],
] as const

/** What to do about each failure. The API's own sentence says what happened. */
const REMEDIES: Readonly<Record<string, string>> = {
  CANCELLED: 'Nothing to do: it was cancelled before a phone had it.',
  EXPIRED: 'No phone could send it in time. Check that a phone is online, then send it again.',
  OUTCOME_UNKNOWN: 'The phone went silent while it sent. Ask the recipient before you send it again.',
  UNDELIVERED: 'The network could not deliver it. Check the number; the phone may be switched off.',
  DEVICE_REMOVED: 'It was meant for a phone that was removed. Send it again with another one.',
  RETRY_BRAKE: 'The phone failed several times in a row. Look at the phone before you send it again.',
  RADIO_OFF: 'The phone is in flight mode or has no radio. Switch it on, then send it again.',
  NO_SERVICE: 'The phone has no network. Move it to a place with reception, then send it again.',
  LIMIT_EXCEEDED: 'Android stopped the sending: too many texts in a short time. Lower the pace of the phone.',
  RADIO_FAILURE: 'The radio refused it. Check the SIM, its credit and the number.',
}

/** Why a text failed, in a few words for a line of a list. */
export const REASONS: readonly (readonly [code: string, words: string])[] = [
  ['NO_SERVICE', 'no network'],
  ['EXPIRED', 'no phone in time'],
  ['OUTCOME_UNKNOWN', 'outcome unknown'],
  ['UNDELIVERED', 'not delivered'],
  ['CANCELLED', 'cancelled'],
  ['RETRY_BRAKE', 'failed again and again'],
  ['RADIO_OFF', 'flight mode'],
  ['RADIO_FAILURE', 'refused by the radio'],
  ['LIMIT_EXCEEDED', 'stopped by Android'],
  ['DEVICE_REMOVED', 'its phone was removed'],
]

/** The same for any code: a phone may report its own. */
export function reasonWords(code: string): string {
  return REASONS.find(([one]) => one === code)?.[1] ?? code.toLowerCase().replaceAll('_', ' ')
}

export function remedyFor(code: string): string {
  return REMEDIES[code] ?? 'Look at the phone: its SIM, credit and network. Then send it again.'
}

/** A link to the page about the subject of a problem. Null: there is no such page. */
export function problemLink({ code, subject, since }: Pick<HealthProblem, 'code' | 'subject' | 'since'>): {
  readonly href: string
  readonly words: string
} | null {
  if (subject?.startsWith('dev_')) return { href: linkTo(`devices/${subject}`), words: 'Show the phone' }
  if (subject?.startsWith('whk_')) return { href: linkTo(`webhooks/${subject}`), words: 'Show the webhook' }
  switch (code) {
    case 'NO_DEVICE_ONLINE':
      return { href: linkTo('devices'), words: 'Show the phones' }
    case 'QUEUE_STALLED':
      return { href: linkTo('messages', { status: 'queued' }), words: 'Show what waits' }
    case 'OUTCOME_UNKNOWN':
    case 'RETRY_BRAKE':
      return { href: linkTo('messages', { reason: code, failedSince: since }), words: 'Show these texts' }
    case 'NOTIFICATIONS_FAILING':
    case 'NOTIFICATIONS_DISABLED':
      return { href: linkTo('notifications'), words: 'Show the notifications' }
    default:
      return null
  }
}

/** The event of a notification, in words. */
export function eventWords(event: string): string {
  return EVENT_WORDS.find(([one]) => one === event)?.[1] ?? event
}

/** The result of the last attempt to deliver to a receiver. */
export function answerWords({ lastResponseStatus, lastError, status }: DeliveryResource): string {
  if (status === 'delivered') return `accepted, answered ${lastResponseStatus}`
  if (lastResponseStatus !== null) return `answered ${lastResponseStatus}`
  return lastError === null ? 'not tried yet' : `no answer (${lastError.toLowerCase().replaceAll('_', ' ')})`
}

/** How many SMS a text takes; the standard calls each of them a segment. */
export function smsWords(segments: number): string {
  return segments === 1 ? '1 SMS' : `${segments} SMS, which the phone shows as one text`
}

/** Eight digits in two groups, as people read them out. */
export function grouped(code: string): string {
  return code.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** Bars from 0 to 4 for a signal in dBm. */
export function signalBars(dbm: number): number {
  const steps = [-110, -100, -90, -80]
  return steps.filter(step => dbm >= step).length
}

/** How strong a new password is, in a few words. */
export function passwordWord(password: string): string {
  const missing = 10 - password.length
  if (missing > 0)
    return missing === 1 ? '1 more character is needed' : `${missing} more characters are needed`
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter(kind => kind.test(password)).length
  if (new Set(password).size < 6) return 'Weak: it repeats itself'
  return password.length >= 16 || kinds >= 3 ? 'Strong' : 'Good'
}
