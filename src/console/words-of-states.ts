/** Words and sentences of the console. */

import { t } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import type { HealthProblem } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { DeviceStatus, MessageStatus } from '#contracts/primitives.ts'

export const MESSAGE_WORDS: Readonly<Record<MessageStatus, string>> = {
  queued: t('Queued'),
  sending: t('Sending'),
  sent: t('Sent'),
  delivered: t('Delivered'),
  failed: t('Failed'),
}
export const DEVICE_WORDS: Readonly<Record<DeviceStatus, string>> = {
  online: t('Online'),
  busy: t('Online, busy sending'),
  offline: t('Offline'),
}
export const KIND_WORDS: Readonly<Record<MessageResource['kind'], string>> = {
  sms: t('Text'),
  '2fa': t('Code'),
  webhook: t('Alert'),
  drill: t('Drill'),
}

/** The events of notifications, in words. */
export const EVENT_WORDS = [
  ['sms.sent', t('A text was sent')],
  ['sms.delivered', t('A text was delivered')],
  ['sms.failed', t('A text failed')],
  ['sms.received', t('A text came in')],
  ['sms.opted_out', t('A number wants no more texts')],
  ['device.online', t('A phone came online')],
  ['device.offline', t('A phone went offline')],
  ['system.alarm', t('Something is wrong with the gateway')],
  ['system.recovered', t('A problem is over')],
  ['incident.opened', t('An alert waits for somebody')],
  ['incident.taken', t('Somebody took an alert')],
  ['incident.escalated', t('The next step of an alert was told')],
  ['incident.unanswered', t('Nobody took an alert')],
  ['incident.closed', t('An alert that somebody answers is over')],
] as const

/** What to do about each failure. The API's own sentence says what happened. */
const REMEDIES: Readonly<Record<string, string>> = {
  CANCELLED: t('Nothing to do: it was cancelled before a phone had it.'),
  EXPIRED: t('No phone could send it in time. Check that a phone is online, then send it again.'),
  OUTCOME_UNKNOWN: t('The phone went silent while it sent. Ask the recipient before you send it again.'),
  UNDELIVERED: t('The network could not deliver it. Check the number; the phone may be switched off.'),
  DEVICE_REMOVED: t('It was meant for a phone that was removed. Send it again with another one.'),
  OPTED_OUT: t(
    'The number wants no more texts. START from it, or the list of such numbers, allows them again.',
  ),
  RETRY_BRAKE: t('The phone failed several times in a row. Look at the phone before you send it again.'),
  RADIO_OFF: t('The phone is in flight mode or has no radio. Switch it on, then send it again.'),
  NO_SERVICE: t('If it still has none, move it to a place with reception. Then send the text again.'),
  LIMIT_EXCEEDED: t(
    'Android stopped the sending: too many texts in a short time. Lower the pace of the phone.',
  ),
  RADIO_FAILURE: t('The radio refused it. Check the SIM, its credit and the number.'),
}

/** Why a text failed, in a few words for a line of a list. */
const REASONS: readonly (readonly [code: string, words: string])[] = [
  ['NO_SERVICE', t('no network')],
  ['EXPIRED', t('no phone in time')],
  ['OUTCOME_UNKNOWN', t('outcome unknown')],
  ['UNDELIVERED', t('not delivered')],
  ['CANCELLED', t('cancelled')],
  ['RETRY_BRAKE', t('failed again and again')],
  ['RADIO_OFF', t('flight mode')],
  ['RADIO_FAILURE', t('refused by the radio')],
  ['LIMIT_EXCEEDED', t('stopped by Android')],
  ['DEVICE_REMOVED', t('its phone was removed')],
  ['OPTED_OUT', t('wants no more texts')],
]

/** The same for any code: a phone may report its own. */
export function reasonWords(code: string): string {
  return REASONS.find(([one]) => one === code)?.[1] ?? code.toLowerCase().replaceAll('_', ' ')
}

export function remedyFor(code: string): string {
  return REMEDIES[code] ?? t('Look at the phone: its SIM, credit and network. Then send it again.')
}

/** A link to the page on which a problem is mended, or which shows what it is about. */
export function problemLink({ code, subject, since }: Pick<HealthProblem, 'code' | 'subject' | 'since'>): {
  readonly href: string
  readonly words: string
} {
  if (subject?.startsWith('dev_')) return { href: linkTo(`devices/${subject}`), words: t('Show the phone') }
  if (subject?.startsWith('whk_'))
    return { href: linkTo(`webhooks/${subject}`), words: t('Show the webhook') }
  if (subject?.startsWith('dgr_'))
    return { href: linkTo(`device-groups/${subject}`), words: t('Show the group') }
  if (subject?.startsWith('fwd_'))
    return { href: linkTo(`forwards/${subject}`), words: t('Show the forward') }
  if (subject?.startsWith('pol_')) return { href: linkTo(`policies/${subject}`), words: t('Show the policy') }
  if (subject?.startsWith('inc_')) return { href: linkTo('on-call'), words: t('Show the alert') }
  switch (code) {
    case 'NO_DEVICE_ONLINE':
    case 'ANSWERS_CANNOT_ARRIVE':
      return { href: linkTo('devices'), words: t('Show the phones') }
    case 'CANNOT_RING':
      return { href: linkTo('on-call'), words: t('Show the policies') }
    case 'QUOTA_NEARLY_USED':
      return { href: linkTo('settings/plan'), words: t('Show the limits') }
    case 'BACKUP_FAILED':
    case 'DATABASE_DAMAGED':
    case 'COMMITS_LOST':
      return { href: linkTo('settings/backup'), words: t('Show the backups') }
    case 'MAIL_TURNED_AWAY':
      return { href: linkTo('webhooks'), words: t('Show the webhooks') }
    case 'QUEUE_STALLED':
      return { href: linkTo('texts', { cut: 'waiting' }), words: t('Show what waits') }
    case 'OUTCOME_UNKNOWN':
    case 'RETRY_BRAKE':
    case 'PLANNED_EXPIRED': {
      const reason = code === 'PLANNED_EXPIRED' ? 'EXPIRED' : code
      return { href: linkTo('texts', { reason, failedSince: since }), words: t('Show these texts') }
    }
    case 'NOTIFICATIONS_FAILING':
    case 'NOTIFICATIONS_DISABLED':
      return { href: linkTo('notifications'), words: t('Show the notifications') }
    case 'CLUSTER_ALONE':
    case 'CLUSTER_LAGGING':
    case 'CLUSTER_NO_QUORUM':
      return { href: linkTo('settings/cluster'), words: t('Show the cluster') }
    default:
      return { href: linkTo('settings/gateway'), words: t('Show the gateway') }
  }
}

/** The event of a notification, in words. */
export function eventWords(event: string): string {
  return EVENT_WORDS.find(([one]) => one === event)?.[1] ?? event
}

/** How many SMS a text takes; the standard calls each of them a segment. */
export function smsWords(segments: number): string {
  return t('1 SMS|{count} SMS, which the phone shows as one text', { count: segments })
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
    return t('1 more character is needed|{count} more characters are needed', { count: missing })
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter(kind => kind.test(password)).length
  if (new Set(password).size < 6) return t('Weak: it repeats itself')
  return password.length >= 16 || kinds >= 3 ? t('Strong') : t('Good')
}
