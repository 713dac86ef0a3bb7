import { ALERT_TTL_S, MESSAGES_OPEN_MAX } from '#contracts/bounds.ts'
import type { TriggerWebhook } from '#contracts/commands.ts'
import type { TriggeredResource } from '#contracts/webhook.ts'
import { planOf } from '#domain/account/plan-of.ts'
import type { Message } from '#domain/message/message.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { admitMessage, takeOn } from '#domain/sending/accept-message.ts'
import { dayOf } from '#domain/time.ts'
import { describeRepeated } from '#domain/webhook/describe-webhook.ts'
import { overCap, repeatSpanAt, windowAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Takes an alert on for every recipient, or for none. The token is looked up again here: one that was rotated
 * after the listener looked opens nothing. A sender that repeats itself gets its first messages again.
 *
 * @throws Problem NOT_FOUND, RATE_LIMIT_EXCEEDED (cap, the day's quota), NO_DEVICE_AVAILABLE (the account has
 * no phone), SERVICE_UNAVAILABLE (too many open messages)
 */
export function triggerWebhook(world: World, input: TriggerWebhook): TriggeredResource {
  const { webhooks, tx, now } = world
  const webhook = webhooks.byToken(input.tokenHash)
  if (webhook === undefined || !webhook.enabled) throw notFound('webhook')
  webhooks.settle(tx, webhook.id, windowAt(now.wallMs))
  const repeated = webhooks.triggers.messagesOf(webhook.id, input.requestHash, repeatSpanAt(now.wallMs))
  if (repeated !== undefined) return describeRepeated(findMessages(world, repeated))
  admit(world, webhook)
  const deviceId = phoneFor(world, webhook)
  const answers = webhook.recipients.map(recipient => {
    const message = admitMessage(world, {
      accountId: webhook.accountId,
      test: false,
      kind: 'webhook',
      phoneNumber: recipient.phoneNumber,
      country: recipient.country,
      text: input.text,
      segments: input.segments,
      encoding: input.encoding,
      deviceId,
      ttlMs: ALERT_TTL_S * 1000,
      priority: 'high',
      simSlot: null,
      queueIfOffline: true,
      notificationUrl: null,
      webhookId: webhook.id,
    })
    takeOn(world, message)
    return { messageId: message.id, phoneNumber: message.phoneNumber, status: message.status }
  })
  const messageIds = answers.map(({ messageId }) => messageId)
  const accepted = { webhookId: webhook.id, at: now.wallMs, requestHash: input.requestHash, messageIds }
  webhooks.accept(tx, accepted, dayOf(now.wallMs))
  return { triggered: true, reason: null, duplicate: false, message: input.text, messages: answers }
}

/** Everything that can refuse the alert for one of its recipients, before any of them is written. */
function admit(world: World, webhook: Webhook): void {
  const { webhooks, fleet, usage, tx, now } = world
  const count = webhook.recipients.length
  const over = overCap(webhook, webhooks.triggers, now.wallMs)
  if (over !== null) throw rejected(world, webhook, over)
  if (fleet.phoneCount(webhook.accountId) === 0)
    throw new Problem('NO_DEVICE_AVAILABLE', 'no phone is paired that could send this alert', {
      retryAfterS: 30,
    })
  if (fleet.messages.size + count > MESSAGES_OPEN_MAX)
    throw new Problem('SERVICE_UNAVAILABLE', 'too many messages wait for a phone', { retryAfterS: 60 })
  const limit = planOf(world, webhook.accountId).smsPerDay
  try {
    usage.check(tx, webhook.accountId, { kind: 'sms', count, limit, wallMs: now.wallMs })
  } catch (error) {
    throw error instanceof Problem ? rejected(world, webhook, error) : error
  }
}

/** The one write before a refusal: it is about the refusal, and stays. */
function rejected(world: World, webhook: Webhook, problem: Problem): Problem {
  world.webhooks.reject(world.tx, webhook.id, 1)
  return problem
}

/** The phone that its owner chose; one that was removed since then keeps no alert back. */
function phoneFor(world: World, { accountId, deviceId }: Webhook): string | null {
  if (deviceId === null) return null
  return world.fleet.phoneOf(accountId, deviceId) === undefined ? null : deviceId
}

function findMessages(world: World, ids: readonly string[]): readonly Message[] {
  return ids.flatMap(id => world.messages.find(world.tx, id) ?? [])
}
