import type { DisabledReason } from '#contracts/notification.ts'
import type { ReportedAttempt } from '#contracts/notification-delivery.ts'
import { NOTIFICATION_ATTEMPTS_LOGGED_MAX } from '#contracts/notification-limits.ts'
import type { Delivery, NotificationSetting } from '#domain/notification/notification-store.ts'
import { type AttemptDecision, afterResponse } from '#domain/notification/retry-schedule.ts'
import type { World } from '#domain/world.ts'

/** Writes down what came of an attempt, and what follows from it for the delivery and for its target. */
export function recordAttempt(world: World, reported: ReportedAttempt): void {
  const { outbox, notifications, tx, now } = world
  outbox.release(reported.id)
  const delivery = notifications.find(tx, reported.id)
  if (delivery === undefined) return
  const setting = judgedSetting(world, delivery, reported)
  const decided = afterResponse(reported.result, {
    attempt: delivery.tries + 1,
    random: reported.random,
    failingForMs: setting?.failingSince == null ? 0 : Math.max(0, now.wallMs - setting.failingSince),
  })
  // The account has another URL by now, or none: what an earlier one wants says nothing about it.
  const isOutdated = decided.kind === 'disable' && delivery.ownUrl === null && setting === undefined
  const decision = isOutdated ? { kind: 'retry' as const, atDelayMs: 0, counted: true } : decided
  if (decision.kind === 'retry' && !decision.counted) return postpone(world, delivery, decision.atDelayMs)
  notifications.save(tx, afterAttempt(world, { delivery, reported, decision }))
  const well = decision.kind === 'delivered'
  outbox.judge(delivery.lane, well)
  if (decision.kind === 'disable') return disable(world, { delivery, setting, reason: decision.reason })
  if (setting === undefined || well === (setting.failingSince === null)) return
  notifications.saveSetting(tx, { ...setting, failingSince: well ? null : now.wallMs })
}

/** The setting whose URL the attempt tells something about: not a message's own, and not an earlier one. */
function judgedSetting(
  world: World,
  delivery: Delivery,
  { url }: ReportedAttempt,
): NotificationSetting | undefined {
  if (delivery.ownUrl !== null) return undefined
  const setting = world.notifications.setting(world.tx, delivery.accountId)
  return setting?.url === url && setting.enabled ? setting : undefined
}

/** Nothing was sent, on account of the gateway itself. */
function postpone(world: World, delivery: Delivery, delayMs: number): void {
  if (delivery.status !== 'pending') return
  world.notifications.save(world.tx, { ...delivery, nextAt: world.now.wallMs + delayMs })
}

interface Attempted {
  readonly delivery: Delivery
  readonly reported: ReportedAttempt
  readonly decision: AttemptDecision
}

function afterAttempt(world: World, { delivery, reported, decision }: Attempted): Delivery {
  const { wallMs } = world.now
  const { status, error, durationMs } = reported.result
  const at = wallMs - durationMs
  const attempted = {
    ...delivery,
    attempts: delivery.attempts + 1,
    tries: delivery.tries + 1,
    sentTo: reported.url,
    responseStatus: status,
    error,
    log: [...delivery.log, { at, status, error, durationMs }].slice(-NOTIFICATION_ATTEMPTS_LOGGED_MAX),
  }
  if (decision.kind === 'delivered') return { ...attempted, status: 'delivered' }
  // Cancelled while it was under way: only an arrival changes that.
  if (delivery.status !== 'pending') return attempted
  if (decision.kind === 'retry') return { ...attempted, nextAt: wallMs + decision.atDelayMs }
  return { ...attempted, status: 'failed' }
}

/** Sends nothing more to a target that is gone: to the account's until it is set again. */
function disable(
  world: World,
  what: {
    readonly delivery: Delivery
    readonly setting: NotificationSetting | undefined
    readonly reason: DisabledReason
  },
): void {
  const { notifications, tx, now, effects } = world
  const { delivery, setting, reason } = what
  if (delivery.ownUrl !== null) return notifications.cancelSubject(tx, delivery.subjectId)
  if (setting === undefined) return
  notifications.cancelLane(tx, delivery.lane)
  notifications.saveSetting(tx, {
    ...setting,
    enabled: false,
    disabledReason: reason,
    disabledAt: now.wallMs,
    failingSince: setting.failingSince ?? now.wallMs,
  })
  effects.push({
    kind: 'warn',
    event: 'notifications disabled',
    fields: { accountId: delivery.accountId, reason },
  })
}
