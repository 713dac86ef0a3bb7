import { TEXTS_TO_CHECK_READ_MAX } from '#contracts/bounds.ts'
import { type Sentence, sentence } from '#contracts/words.ts'
import type { AccountFacts, FoundByRule, Quota, Rule, TextsToCheck } from '#domain/health/facts.ts'

/** Used share of a daily quota at which a warning appears. */
const QUOTA_NEARLY_USED_RATIO = 0.8
/** Notifications must fail for this long to be a problem: a receiver may just be restarting. */
export const NOTIFICATIONS_FAILING_MS_MIN = 3_600_000

const outcomeUnknown: Rule<AccountFacts> = ({ unknown }) => {
  if (unknown === null) return []
  return {
    code: 'OUTCOME_UNKNOWN',
    since: unknown.firstAt,
    message: isAtLeast(unknown)
      ? sentence(
          'It is unknown whether a phone sent at least {count} texts; Roost does not send such texts again',
          { count: unknown.count },
        )
      : sentence(
          'It is unknown whether a phone sent 1 text; Roost does not send such texts again|' +
            'It is unknown whether a phone sent {count} texts; Roost does not send such texts again',
          { count: unknown.count },
        ),
    fix: sentence('Find them in the list of failed messages; ask the recipients before you send them again.'),
  }
}

const retryBrake: Rule<AccountFacts> = ({ braked }) => {
  if (braked === null) return []
  return {
    code: 'RETRY_BRAKE',
    since: braked.firstAt,
    message: isAtLeast(braked)
      ? sentence('Roost gave up on at least {count} texts: phones failed several times in ten minutes', {
          count: braked.count,
        })
      : sentence(
          'Roost gave up on 1 text: phones failed several times in ten minutes|' +
            'Roost gave up on {count} texts: phones failed several times in ten minutes',
          { count: braked.count },
        ),
    fix: sentence(
      'Look at the phone that failed (SIM, network, the agent’s log) before you send them again.',
    ),
  }
}

const plannedExpired: Rule<AccountFacts> = ({ plannedExpired: expired }) => {
  if (expired === null) return []
  return {
    code: 'PLANNED_EXPIRED',
    since: expired.firstAt,
    message: isAtLeast(expired)
      ? sentence('At least {count} planned texts expired while Roost was off or its clock was wrong', {
          count: expired.count,
        })
      : sentence(
          '1 planned text expired while Roost was off or its clock was wrong|' +
            '{count} planned texts expired while Roost was off or its clock was wrong',
          { count: expired.count },
        ),
    fix: sentence('Find them in the list of failed messages, and send again what is still wanted.'),
  }
}

/** Whether there may be more, because only so many are read. */
function isAtLeast({ count }: TextsToCheck): boolean {
  return count >= TEXTS_TO_CHECK_READ_MAX
}

const webhookOverCap: Rule<AccountFacts> = ({ overCap }) =>
  overCap.map(({ webhookId, name, firstAt }) => ({
    code: 'WEBHOOK_OVER_CAP',
    since: firstAt,
    subject: webhookId,
    message: sentence('The webhook {name} got more alerts than its limit per hour', { name }),
    fix: sentence('Fix the cause of so many alerts, or allow the webhook more alerts an hour.'),
  }))

const quotaNearlyUsed: Rule<AccountFacts> = ({ quotas }) => {
  const used = quotas.filter(quota => quota.limit > 0 && quota.used >= quota.limit * QUOTA_NEARLY_USED_RATIO)
  if (used.length === 0) return []
  return {
    code: 'QUOTA_NEARLY_USED',
    since: null,
    message: quotaWords(used),
    fix: sentence('Wait for midnight UTC, or put the account on a larger plan: roost account set-plan.'),
  }
}

function quotaWords(used: readonly Quota[]): Sentence {
  const [first, second] = used
  const values = { used: first?.used ?? 0, limit: first?.limit ?? 0 }
  if (second !== undefined)
    return sentence(
      '{used} of {limit} texts and {codes} of {codesMax} one-time codes of today’s quota are used',
      { ...values, codes: second.used, codesMax: second.limit },
    )
  return first?.kind === 'sms'
    ? sentence('{used} of {limit} texts of today’s quota are used', values)
    : sentence('{used} of {limit} one-time codes of today’s quota are used', values)
}

const capNearlyUsed: Rule<AccountFacts> = ({ phones }) =>
  phones.flatMap(({ id, name, caps }): FoundByRule | FoundByRule[] => {
    const near = caps.filter(cap => cap.used >= cap.max * QUOTA_NEARLY_USED_RATIO)
    const [fullest] = near.toSorted((a, b) => b.used / b.max - a.used / a.max)
    if (fullest === undefined) return []
    const { span, used, max } = fullest
    const values = { phone: name, used, max }
    return {
      code: 'QUOTA_NEARLY_USED',
      since: null,
      subject: id,
      message:
        span === 'day'
          ? sentence('{phone} has used {used} of {max} SMS of this day', values)
          : sentence('{phone} has used {used} of {max} SMS of this month', values),
      fix: sentence(
        'At its cap other phones send instead of it, or texts wait: add a phone, or raise the cap.',
      ),
    }
  })

const notificationsFailing: Rule<AccountFacts> = ({ notifications, now }) => {
  const since = notifications?.failingSince ?? null
  if (since === null || notifications?.disabledReason !== null) return []
  if (now - since < NOTIFICATIONS_FAILING_MS_MIN) return []
  return {
    code: 'NOTIFICATIONS_FAILING',
    since,
    message: sentence('Notifications do not arrive at the registered URL'),
    fix: sentence('See in the list of deliveries what the receiver answers; after five days sending stops.'),
  }
}

const notificationsDisabled: Rule<AccountFacts> = ({ notifications }) => {
  if (notifications === null || notifications.disabledReason === null) return []
  return {
    code: 'NOTIFICATIONS_DISABLED',
    since: notifications.disabledAt,
    message:
      notifications.disabledReason === 'GONE'
        ? sentence('Notifications are off: the receiver answered that it is gone (410)')
        : sentence('Notifications are off: the receiver failed for five days'),
    fix: sentence(
      'Fix the receiver, register its URL again (PUT /api/v1/notifications), and replay what failed.',
    ),
  }
}

const forwardsFailing: Rule<AccountFacts> = ({ forwards, now }) =>
  forwards.flatMap(({ id, name, failingSince, disabledReason, disabledAt }) => {
    const fault = { severity: 'warning', subject: id } as const
    if (disabledReason !== null)
      return {
        ...fault,
        code: 'NOTIFICATIONS_DISABLED',
        since: disabledAt,
        message:
          disabledReason === 'GONE'
            ? sentence('The forward {name} is off: its service answered that it is gone (410)', { name })
            : sentence('The forward {name} is off: its service failed for five days', { name }),
        fix: sentence('Correct its address or credential, switch it on again, and replay what failed.'),
      }
    if (failingSince === null || now - failingSince < NOTIFICATIONS_FAILING_MS_MIN) return []
    return {
      ...fault,
      code: 'NOTIFICATIONS_FAILING',
      since: failingSince,
      message: sentence('Received texts do not arrive through the forward {name}', { name }),
      fix: sentence('See in the list of deliveries what its service answers; after five days sending stops.'),
    }
  })

const mailTurnedAway: Rule<AccountFacts> = ({ mailRefusedSince }) => {
  if (mailRefusedSince === null) return []
  return {
    code: 'MAIL_TURNED_AWAY',
    since: mailRefusedSince,
    message: sentence('More mails come for webhooks than the gateway takes: their senders must try again'),
    fix: sentence('Look which device mails so often, or so much, and let it mail less.'),
  }
}

/** Rules about texts, webhooks and notifications of an account. */
export const ACCOUNT_RULES: readonly Rule<AccountFacts>[] = [
  outcomeUnknown,
  retryBrake,
  plannedExpired,
  webhookOverCap,
  mailTurnedAway,
  quotaNearlyUsed,
  capNearlyUsed,
  notificationsFailing,
  notificationsDisabled,
  forwardsFailing,
]
