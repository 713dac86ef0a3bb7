import type { AcceptMessage } from '#contracts/commands.ts'
import type { TriggeredResource } from '#contracts/webhook.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { Problem } from '#domain/problem.ts'
import {
  type Hearing,
  reportOrOpen,
  tellIncidentOfStorm,
  tellSummary,
  withoutHearers,
} from '#domain/sending/raise-incident.ts'
import { checkRoom, sendText } from '#domain/sending/send-text.ts'
import { dayOf } from '#domain/time.ts'
import { resolvePeople } from '#domain/webhook/resolve-people.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** Alerts wait up to a day for a phone, longer than most outages last. */
const ALERT_TTL_S = 86_400

export interface AlertText extends Pick<AcceptMessage, 'text' | 'segments' | 'encoding'> {
  readonly requestHash: Uint8Array
  /** What it is about; null: unknown; empty: words of Roost's own. */
  readonly thing: string | null
  /** The incident of the alert. */
  readonly incidentId?: string | null
  /** Whether it does not count towards the cap. */
  readonly isFree?: boolean
  /** Whether Roost worded it by a guess. */
  readonly guess?: boolean
  /** When its texts shall leave; null or absent: at once. */
  readonly sendAt?: number | null
}

/** Texts an alert to every recipient and counts it as one trigger. Call `findRefusal` first. */
export function sendAlert(world: World, webhook: Webhook, alert: AlertText): TriggeredResource['messages'] {
  const { requestHash, thing, incidentId = null, isFree = false, ...text } = alert
  const messages = textRecipients(world, webhook, text)
  const { wallMs } = world.now
  const messageIds = messages.map(({ messageId }) => messageId)
  const accepted = { requestHash, thing, messageIds, incidentId, isFree }
  const at = { webhookId: webhook.id, at: wallMs }
  world.webhooks.accept(world.tx, { ...accepted, ...at }, dayOf(wallMs))
  return messages
}

/** Words of Roost's own about a webhook. */
export interface OwnText {
  readonly text: string
  /** `trigger`: counts like an alert. `statistics`: counts for the owner, but not towards the cap. */
  readonly counts: 'trigger' | 'statistics' | 'nothing'
  /** What an incident about it has as its key; `storm`: that of the storm; absent: it is about none. */
  readonly about?: 'roost:silent' | 'roost:overflow' | 'storm'
  readonly isOver?: boolean
}

/**
 * Texts words of Roost's own, and tells the incident that they are about. False: it cannot be sent now, and
 * nothing was written.
 */
export function sendOwnText(world: World, unresolved: Webhook, own: OwnText): boolean {
  const { text, counts } = own
  const webhook = resolvePeople(world, unresolved)
  const refusal = findRefusal(world, webhook)
  const isQuota = refusal?.code === 'RATE_LIMIT_EXCEEDED' && webhook.policyId !== null
  if (refusal !== null && !isQuota) return false
  const told = tellIncident(world, webhook, own)
  const heard = isQuota ? { ...webhook, recipients: [] } : withoutHearers(webhook, told)
  const sized = { text, ...segmentsOf(text) }
  if (counts === 'trigger')
    sendAlert(world, heard, { ...sized, requestHash: world.source.hash(text), thing: '' })
  else textRecipients(world, heard, sized)
  if (counts === 'statistics') world.webhooks.countOwn(world.tx, webhook.id, dayOf(world.now.wallMs))
  return true
}

function tellIncident(world: World, webhook: Webhook, own: OwnText): Hearing | null {
  const { text, about, isOver = false } = own
  if (about === undefined || webhook.policyId === null) return null
  if (about === 'storm') return tellIncidentOfStorm(world, webhook, text)
  const state = isOver ? 'recovered' : 'firing'
  const facts = { key: about, subject: null, state, severity: null, isUrgent: false } as const
  const alert = { facts, text, guess: false, isAloud: true }
  const isSummary = about === 'roost:overflow' && !isOver
  return (isSummary ? tellSummary : reportOrOpen)(world, webhook, alert)
}

function textRecipients(
  world: World,
  webhook: Webhook,
  text: Omit<AlertText, 'requestHash' | 'thing'>,
): TriggeredResource['messages'] {
  const deviceId = phoneFor(world, webhook)
  return webhook.recipients.map(({ phoneNumber, country }) => {
    const whom = { accountId: webhook.accountId, phoneNumber, country }
    const ours = { kind: 'webhook', deviceId, ttlMs: ALERT_TTL_S * 1000, priority: 'high' } as const
    const message = sendText(world, plainText({ ...text, ...whom, ...ours, webhookId: webhook.id }))
    return { messageId: message.id, phoneNumber, status: message.status }
  })
}

/**
 * Why an alert cannot be sent to all recipients, apart from the cap (`maxPerHour`): NO_DEVICE_AVAILABLE,
 * SERVICE_UNAVAILABLE or RATE_LIMIT_EXCEEDED (the day's quota). Null: it can. Writes nothing.
 */
export function findRefusal(world: World, webhook: Webhook): Problem | null {
  try {
    checkAlert(world, webhook)
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function checkAlert(world: World, webhook: Webhook): void {
  const { fleet, usage, tx, now } = world
  const count = webhook.recipients.length
  if (fleet.phoneCount(webhook.accountId) === 0)
    throw new Problem('NO_DEVICE_AVAILABLE', 'no phone is paired, so none can send this alert: pair one', {
      retryAfterS: 30,
    })
  checkRoom(world, webhook.accountId, { count: Math.max(1, count), isUrgent: true })
  if (count === 0) return
  const limit = planOf(world, webhook.accountId).smsPerDay
  usage.check(tx, webhook.accountId, { kind: 'sms', count, limit, wallMs: now.wallMs })
}

/** The phone or group that the webhook names. Null: none, or it was removed, and any phone may send. */
function phoneFor({ fleet }: Pick<World, 'fleet'>, { accountId, deviceId }: Webhook): string | null {
  if (deviceId === null) return null
  return (fleet.phoneOf(accountId, deviceId) ?? fleet.groupOf(accountId, deviceId)) === undefined
    ? null
    : deviceId
}
