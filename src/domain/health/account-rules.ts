import { TEXTS_TO_CHECK_READ_MAX } from '#contracts/bounds.ts'
import type { DisabledReason } from '#contracts/notification.ts'
import type { AccountFacts, Quota, Rule, TextsToCheck } from '#domain/health/facts.ts'
import { count } from '#domain/words.ts'

/** Used share of a daily quota at which a warning appears. */
const QUOTA_NEARLY_USED_RATIO = 0.8
/** Notifications must fail for this long to be a problem: a receiver may just be restarting. */
export const NOTIFICATIONS_FAILING_MS_MIN = 3_600_000

const outcomeUnknown: Rule<AccountFacts> = ({ unknown }) => {
  if (unknown === null) return []
  return [
    {
      code: 'OUTCOME_UNKNOWN',
      severity: 'warning',
      since: unknown.firstAt,
      subject: null,
      message: `It is unknown whether a phone sent ${howMany(unknown)}; Roost does not send such texts again`,
      fix: 'Find them in the list of failed messages; ask the recipients before you send them again.',
    },
  ]
}

const retryBrake: Rule<AccountFacts> = ({ braked }) => {
  if (braked === null) return []
  return [
    {
      code: 'RETRY_BRAKE',
      severity: 'warning',
      since: braked.firstAt,
      subject: null,
      message: `Roost gave up on ${howMany(braked)}: phones failed several times in ten minutes`,
      fix: 'Look at the phone that failed (SIM, network, the agent’s log) before you send them again.',
    },
  ]
}

function howMany({ count: number }: TextsToCheck): string {
  const more = number >= TEXTS_TO_CHECK_READ_MAX ? 'at least ' : ''
  return `${more}${count(number, 'text', 'texts')}`
}

const webhookOverCap: Rule<AccountFacts> = ({ overCap }) =>
  overCap.map(({ webhookId, name, firstAt }) => ({
    code: 'WEBHOOK_OVER_CAP',
    severity: 'warning',
    since: firstAt,
    subject: webhookId,
    message: `The webhook ${name} got more alerts than its limit per hour`,
    fix: 'Fix the cause of so many alerts, or allow the webhook more alerts an hour.',
  }))

const QUOTA_WORDS: Readonly<Record<Quota['kind'], string>> = { sms: 'texts', twoFactor: 'one-time codes' }

const quotaNearlyUsed: Rule<AccountFacts> = ({ quotas }) => {
  const used = quotas.filter(quota => quota.limit > 0 && quota.used >= quota.limit * QUOTA_NEARLY_USED_RATIO)
  if (used.length === 0) return []
  const parts = used.map(quota => `${quota.used} of ${quota.limit} ${QUOTA_WORDS[quota.kind]}`)
  return [
    {
      code: 'QUOTA_NEARLY_USED',
      severity: 'warning',
      since: null,
      subject: null,
      message: `${parts.join(' and ')} of today’s quota are used`,
      fix: 'Wait for midnight UTC, or put the account on a larger plan: roost account set-plan.',
    },
  ]
}

const GIVEN_UP: Readonly<Record<DisabledReason, string>> = {
  GONE: 'answered that it is gone (410)',
  FAILING: 'failed for five days',
}

const notificationsFailing: Rule<AccountFacts> = ({ notifications, now }) => {
  const since = notifications?.failingSince ?? null
  if (since === null || notifications?.disabledReason !== null) return []
  if (now - since < NOTIFICATIONS_FAILING_MS_MIN) return []
  return [
    {
      code: 'NOTIFICATIONS_FAILING',
      severity: 'warning',
      since,
      subject: null,
      message: 'Notifications do not arrive at the registered URL',
      fix: 'See in the list of deliveries what the receiver answers; after five days sending stops.',
    },
  ]
}

const notificationsDisabled: Rule<AccountFacts> = ({ notifications }) => {
  if (notifications === null || notifications.disabledReason === null) return []
  return [
    {
      code: 'NOTIFICATIONS_DISABLED',
      severity: 'warning',
      since: notifications.disabledAt,
      subject: null,
      message: `Notifications are off: the receiver ${GIVEN_UP[notifications.disabledReason]}`,
      fix: 'Fix the receiver, register its URL again (PUT /api/v1/notifications), and replay what failed.',
    },
  ]
}

const forwardsFailing: Rule<AccountFacts> = ({ forwards, now }) =>
  forwards.flatMap(({ id, name, failingSince, disabledReason, disabledAt }) => {
    const fault = { severity: 'warning', subject: id } as const
    if (disabledReason !== null)
      return {
        ...fault,
        code: 'NOTIFICATIONS_DISABLED',
        since: disabledAt,
        message: `The forward ${name} is off: its service ${GIVEN_UP[disabledReason]}`,
        fix: 'Correct its address or credential, switch it on again, and replay what failed.',
      }
    if (failingSince === null || now - failingSince < NOTIFICATIONS_FAILING_MS_MIN) return []
    return {
      ...fault,
      code: 'NOTIFICATIONS_FAILING',
      since: failingSince,
      message: `Received texts do not arrive through the forward ${name}`,
      fix: 'See in the list of deliveries what its service answers; after five days sending stops.',
    }
  })

/** Rules about texts, webhooks and notifications of an account. */
export const ACCOUNT_RULES: readonly Rule<AccountFacts>[] = [
  outcomeUnknown,
  retryBrake,
  webhookOverCap,
  quotaNearlyUsed,
  notificationsFailing,
  notificationsDisabled,
  forwardsFailing,
]
