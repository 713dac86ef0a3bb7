import { NOTIFICATIONS_CANCELLED_MAX } from '#contracts/bounds.ts'
import type { DisabledReason } from '#contracts/notification.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import type { ReportedAttempt } from '#contracts/notification-delivery.ts'
import { readPause } from '#domain/forward/adapters.ts'
import { type Failing, hasFailedForDays, WORKING, withFailure } from '#domain/forward/failing.ts'
import type { Forward } from '#domain/forward/forward.ts'
import type { Delivery, NotificationSetting } from '#domain/notification/notification-store.ts'
import { type AttemptDecision, decideAfterAttempt } from '#domain/notification/retry-schedule.ts'
import type { World } from '#domain/world.ts'

/** Attempts kept in a delivery's log: two full schedules and some manual replays. */
const NOTIFICATION_ATTEMPTS_LOGGED_MAX = 32

/** Records the outcome of an attempt and its consequences for the delivery and the target. */
export function recordAttempt(world: World, given: ReportedAttempt): void {
  const { outbox, notifications, tx, now } = world
  outbox.release(given.id)
  const delivery = notifications.find(tx, given.id)
  if (delivery === undefined) return
  const target = currentTarget(world, delivery, given)
  const reported = { ...given, result: readAnswer(given.result, target?.forward ?? null) }
  const failing = withFailure(target ?? WORKING, now.wallMs)
  const decided = decideAfterAttempt(reported.result, {
    attempt: delivery.tries + 1,
    random: reported.random,
    isLastChance: hasFailedForDays(failing),
  })
  // The account's URL was changed, removed or disabled during the attempt.
  const isOutdated = decided.kind === 'disable' && target === null
  const decision = isOutdated ? { kind: 'retry' as const, delayMs: 0, counted: true } : decided
  if (decision.kind === 'retry' && !decision.counted) return postpone(world, delivery, decision.delayMs)
  notifications.save(tx, afterAttempt(world, { delivery, reported, decision }))
  const succeeded = decision.kind === 'delivered'
  outbox.noteOutcome(delivery.lane, succeeded)
  if (target === null) return
  if (succeeded && target.failingSince !== null) saveFailing(world, target, WORKING)
  const isNewDay = failing.failedDays.at(-1) !== target.failedDays.at(-1)
  if (!succeeded && isNewDay) saveFailing(world, target, failing)
  if (decision.kind === 'disable')
    giveUp(world, { delivery, target: { ...target, ...failing }, reason: decision.reason })
}

/**
 * The target of an attempt: the account's URL (`setting`), a forward, or, if both are null, a lane of
 * messages' own URLs.
 */
interface Target extends Failing {
  readonly lane: string
  readonly setting: NotificationSetting | null
  readonly forward: Forward | null
}

/**
 * The target whose health the attempt shows. Null: the account's URL was changed, removed or disabled since,
 * or the forward was removed or switched off.
 */
function currentTarget(world: World, delivery: Delivery, { url }: ReportedAttempt): Target | null {
  const { notifications, forwards, tx } = world
  const { lane, ownUrl, forwardId, accountId } = delivery
  const none = { lane, setting: null, forward: null }
  if (forwardId !== null) {
    const forward = forwards.find(accountId, forwardId)
    return forward?.enabled ? { ...none, ...failuresOf(forward), forward } : null
  }
  if (ownUrl !== null) return { ...none, ...notifications.failing(tx, lane) }
  const setting = notifications.setting(tx, accountId)
  if (setting?.url !== url || !setting.enabled) return null
  return { ...none, ...failuresOf(setting), setting }
}

function failuresOf({ failingSince, failedDays }: Failing): Failing {
  return { failingSince, failedDays }
}

function saveFailing(world: World, { lane, setting, forward }: Target, failing: Failing): void {
  const { notifications, forwards, tx } = world
  const failures = failuresOf(failing)
  if (forward !== null) forwards.save(tx, { ...forward, ...failures })
  else if (setting !== null) notifications.saveSetting(tx, { ...setting, ...failures })
  else if (failures.failingSince === null) notifications.forgetFailing(tx, lane)
  else notifications.saveFailing(tx, lane, failures)
}

/** Reads a pause from the answer to a forward, and removes the credential if the service repeats it. */
function readAnswer(result: AttemptResult, forward: Forward | null): AttemptResult {
  const { answer, retryAfterMs } = result
  if (forward === null || answer === undefined) return result
  const { kind, credential } = forward
  return {
    ...result,
    retryAfterMs: retryAfterMs ?? readPause(kind, answer),
    answer: credential === null ? answer : answer.replaceAll(credential, '***'),
  }
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
    // The address of a forward may hold its credential.
    sentTo: delivery.forwardId === null ? reported.url : null,
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
 * Cancels the deliveries that wait for the target. The account's URL or the forward stays disabled until the
 * owner sets it again. A message's own URL cannot be disabled. So its next event is tried, and if that
 * attempt fails, all waiting events are cancelled again. A 410 from such a URL affects only its message.
 */
function giveUp(world: World, { delivery, target, reason }: GivenUp): void {
  const { notifications, forwards, tx, now, effects } = world
  const { lane, subjectId, accountId, forwardId } = delivery
  const { setting, forward } = target
  if (setting === null && forward === null && reason === 'GONE')
    return notifications.cancelSubject(tx, subjectId)
  notifications.cancelLane(tx, lane, NOTIFICATIONS_CANCELLED_MAX)
  const off = {
    enabled: false,
    disabledReason: reason,
    disabledAt: now.wallMs,
    ...failuresOf(target),
  }
  if (forward !== null) forwards.save(tx, { ...forward, ...off })
  else if (setting !== null) notifications.saveSetting(tx, { ...setting, ...off })
  else return
  const fields = { accountId, reason, ...(forwardId !== null && { forwardId }) }
  effects.push({ kind: 'log', level: 'warn', event: 'notification.disabled', fields })
}
