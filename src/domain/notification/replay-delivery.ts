import type { CommandInput } from '#contracts/commands.ts'
import type { DeliveryResource, ReplayedResource } from '#contracts/notification.ts'
import type { AccountReference } from '#contracts/notification-commands.ts'
import { describeDelivery } from '#domain/notification/describe-notification.ts'
import { checkPlan } from '#domain/notification/set-notification.ts'
import { addDelivery } from '#domain/notification/write-event.ts'
import { notFound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** Deliveries that one call replays: other callers wait for its transaction. */
const NOTIFICATIONS_REPLAYED_MAX = 10_000

/** A fictional number, like those of the sandbox. */
const TEST_NUMBER = '+15005550000'

/**
 * Sends a sample event to the account's URL, even if it did not subscribe to that event.
 *
 * @throws Problem FORBIDDEN; CONFLICT when there is no enabled URL
 */
export function testNotification(world: World, { accountId }: AccountReference): DeliveryResource {
  checkNotified(world, accountId)
  const { wallMs } = world.now
  const messageId = world.source.id('msg_', wallMs)
  const delivery = addDelivery(world, {
    accountId,
    subjectId: messageId,
    ownUrl: null,
    facts: {
      event: 'sms.delivered',
      at: wallMs,
      data: { messageId, phoneNumber: TEST_NUMBER, status: 'delivered' },
      test: true,
    },
  })
  return describeDelivery(delivery)
}

/**
 * Sends one delivery again with its old id, whatever its status.
 *
 * @throws Problem FORBIDDEN; NOT_FOUND; CONFLICT when it would go to the account's URL and none is enabled,
 * or to a forward that is not
 */
export function replayDelivery(world: World, input: CommandInput<'notification.replay'>): DeliveryResource {
  const { accountId } = input
  const delivery = world.notifications.find(world.tx, input.id)
  if (delivery?.forwardId == null) checkPlan(world, accountId)
  if (delivery === undefined || delivery.accountId !== accountId) throw notFound('delivery')
  if (delivery.forwardId !== null) checkForwards(world, accountId, delivery.forwardId)
  else if (delivery.ownUrl === null) checkEnabled(world, accountId)
  const again = { ...delivery, status: 'pending' as const, tries: 0, nextAt: 0 }
  world.notifications.save(world.tx, again)
  world.outbox.agenda.addReady(again.lane)
  world.effects.push({ kind: 'notifications' })
  return describeDelivery(again)
}

/**
 * Sends all deliveries again that were created at `since` or later and did not arrive, as far as they have
 * somewhere to go: the account's URL, or a forward.
 *
 * @throws Problem FORBIDDEN and CONFLICT when there is neither an enabled URL nor an enabled forward
 */
export function replayFailed(
  world: World,
  input: CommandInput<'notification.replay-failed'>,
): ReplayedResource {
  const { accountId, since } = input
  const forwards = world.forwards
    .list(accountId)
    .filter(({ enabled }) => enabled)
    .map(({ id }) => id)
  if (forwards.length === 0) checkNotified(world, accountId)
  const limit = NOTIFICATIONS_REPLAYED_MAX
  const events = isNotified(world, accountId)
  const which = { accountId, since, events, forwards, limit }
  const replayed = world.notifications.replaySince(world.tx, which)
  world.outbox.agenda.forget()
  world.effects.push({ kind: 'notifications' })
  return { replayed, more: replayed === limit }
}

/** @throws Problem FORBIDDEN; CONFLICT when there is no enabled URL */
function checkNotified(world: World, accountId: string): void {
  checkPlan(world, accountId)
  checkEnabled(world, accountId)
}

function isNotified(world: World, accountId: string): boolean {
  try {
    checkNotified(world, accountId)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function checkForwards({ forwards }: World, accountId: string, forwardId: string): void {
  if (forwards.find(accountId, forwardId)?.enabled === true) return
  throw new Problem('CONFLICT', 'the forward of this delivery was removed or is switched off')
}

function checkEnabled(world: Pick<World, 'notifications' | 'tx'>, accountId: string): void {
  const setting = world.notifications.setting(world.tx, accountId)
  if (setting?.url != null && setting.enabled) return
  const why = setting?.url == null ? 'no URL is registered' : 'the URL is disabled'
  throw new Problem('CONFLICT', `${why}: PUT /api/v1/notifications first`)
}
