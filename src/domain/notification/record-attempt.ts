import { NOTIFICATIONS_CANCELLED_MAX } from '#contracts/bounds.ts'
import type { DisabledReason } from '#contracts/notification.ts'
import type { ReportedAttempt } from '#contracts/notification-delivery.ts'
import type { Delivery, NotificationSetting } from '#domain/notification/notification-store.ts'
import { type AttemptDecision, decideAfterAttempt } from '#domain/notification/retry-schedule.ts'
import type { World } from '#domain/world.ts'

/** Attempts kept in a delivery's log: two full schedules and some manual replays. */
const NOTIFICATION_ATTEMPTS_LOGGED_MAX = 32

/** Records the outcome of an attempt and its consequences for the delivery and the target. */
export function recordAttempt(world: World, reported: ReportedAttempt): void {
  const { outbox, notifications, tx, now } = world
  outbox.release(reported.id)
  const delivery = notifications.find(tx, reported.id)
  if (delivery === undefined) return
  const target = currentTarget(world, delivery, reported)
  const decided = decideAfterAttempt(reported.result, {
    attempt: delivery.tries + 1,
    random: reported.random,
    failingForMs: target?.failingSince == null ? 0 : Math.max(0, now.wallMs - target.failingSince),
  })
  // The account's URL was changed, removed or disabled during the attempt.
  const isOutdated = decided.kind === 'disable' && target === null
  const decision = isOutdated ? { kind: 'retry' as const, delayMs: 0, counted: true } : decided
  if (decision.kind === 'retry' && !decision.counted) return postpone(world, delivery, decision.delayMs)
  notifications.save(tx, afterAttempt(world, { delivery, reported, decision }))
  const succeeded = decision.kind === 'delivered'
  outbox.noteOutcome(delivery.lane, succeeded)
  if (target === null) return
  const wasFailing = target.failingSince !== null
  if (succeeded && wasFailing) saveFailing(world, target, null)
  if (!succeeded && !wasFailing) saveFailing(world, target, now.wallMs)
  if (decision.kind === 'disable') giveUp(world, { delivery, target, reason: decision.reason })
}

/**
 * The target of an attempt: the account's URL (`setting`), or, if that is null, a lane of messages' own
 * URLs.
 */
interface Target {
  readonly lane: string
  readonly setting: NotificationSetting | null
  readonly failingSince: number | null
}

/**
 * The target whose health the attempt shows. Null: the account's URL was changed, removed or disabled since.
 */
function currentTarget(world: World, delivery: Delivery, { url }: ReportedAttempt): Target | null {
  const { notifications, tx } = world
  const { lane, ownUrl, accountId } = delivery
  if (ownUrl !== null) return { lane, setting: null, failingSince: notifications.failingSince(tx, lane) }
  const setting = notifications.setting(tx, accountId)
  if (setting?.url !== url || !setting.enabled) return null
  return { lane, setting, failingSince: setting.failingSince }
}

function saveFailing({ notifications, tx }: World, { lane, setting }: Target, since: number | null): void {
  if (setting !== null) notifications.saveSetting(tx, { ...setting, failingSince: since })
  else if (since === null) notifications.forgetFailing(tx, lane)
  else notifications.saveFailing(tx, lane, since)
}

/** Delays a delivery whose attempt does not count, because the gateway was full or stopping. */
function postpone(world: World, delivery: Delivery, delayMs: number): void {
  if (delivery.status !== 'pending') return
  world.notifications.save(world.tx, { ...delivery, nextAt: world.now.wallMs + delayMs })
}

interface Attempted {
  readonly delivery: Delivery
  readonly reported: ReportedAttempt
  readonly decision: AttemptDecision
}

function afterAttempt(world: Pick<World, 'now'>, { delivery, reported, decision }: Attempted): Delivery {
  const { wallMs } = world.now
  const { status, error, durationMs, answer = null } = reported.result
  const at = wallMs - durationMs
  const attempted = {
    ...delivery,
    attempts: delivery.attempts + 1,
    tries: delivery.tries + 1,
    sentTo: reported.url,
    responseStatus: status,
    error,
    log: [...delivery.log, { at, status, error, durationMs, answer }].slice(
      -NOTIFICATION_ATTEMPTS_LOGGED_MAX,
    ),
  }
  if (decision.kind === 'delivered') return { ...attempted, status: 'delivered' }
  // The delivery was cancelled during the attempt. Only a success changes its status.
  if (delivery.status !== 'pending') return attempted
  if (decision.kind === 'retry') return { ...attempted, nextAt: wallMs + decision.delayMs }
  return { ...attempted, status: 'failed' }
}

interface GivenUp {
  readonly delivery: Delivery
  readonly target: Target
  readonly reason: DisabledReason
}

/**
 * Cancels the deliveries that wait for the target. The account's URL stays disabled until the owner sets it
 * again. A message's own URL cannot be disabled. So its next event is tried, and if that attempt fails, all
 * waiting events are cancelled again. A 410 from such a URL affects only its message.
 */
function giveUp(world: World, { delivery, target, reason }: GivenUp): void {
  const { notifications, tx, now, effects } = world
  const { lane, subjectId, accountId } = delivery
  const { setting, failingSince } = target
  if (setting === null && reason === 'GONE') return notifications.cancelSubject(tx, subjectId)
  notifications.cancelLane(tx, lane, NOTIFICATIONS_CANCELLED_MAX)
  if (setting === null) return
  notifications.saveSetting(tx, {
    ...setting,
    enabled: false,
    disabledReason: reason,
    disabledAt: now.wallMs,
    failingSince: failingSince ?? now.wallMs,
  })
  const fields = { accountId, reason }
  effects.push({ kind: 'log', level: 'warn', event: 'notification.disabled', fields })
}
