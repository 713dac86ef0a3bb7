import { NOTIFICATIONS_CANCELLED_MAX } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { NotificationResource } from '#contracts/notification.ts'
import type { AccountReference } from '#contracts/notification-commands.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { WORKING } from '#domain/forward/failing.ts'
import { describeSetting } from '#domain/notification/describe-notification.ts'
import type { NotificationSetting } from '#domain/notification/notification-store.ts'
import { laneOf } from '#domain/notification/write-event.ts'
import { notFound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * Registers or replaces the account's URL and enables it. Pending deliveries go to the new URL. The answer
 * contains the secret if no earlier answer did.
 *
 * @throws Problem FORBIDDEN on a plan without notifications
 */
export function setNotification(world: World, input: CommandInput<'notification.set'>): NotificationResource {
  const { accountId, url, events } = input
  checkPlan(world, accountId)
  const before = signingSetting(world, accountId)
  const setting: NotificationSetting = {
    ...before,
    ...WORKING,
    url,
    events,
    enabled: true,
    secretShown: true,
  }
  world.notifications.saveSetting(world.tx, setting)
  world.effects.push({ kind: 'notifications' })
  return describeSetting(setting, before.secretShown ? null : setting.secret)
}

export function findNotification(world: World, { accountId }: AccountReference): NotificationResource {
  return describeSetting(world.notifications.setting(world.tx, accountId))
}

/**
 * Removes the account's URL and returns it. The secret stays for messages' own URLs; the answer to the next
 * registration shows it again.
 *
 * @throws Problem NOT_FOUND when none is registered
 */
export function deleteNotification(world: World, { accountId }: AccountReference): NotificationResource {
  const before = world.notifications.setting(world.tx, accountId)
  if (before === undefined || before.url === null) throw notFound('notification URL: none is registered')
  world.notifications.saveSetting(world.tx, {
    ...before,
    ...WORKING,
    url: null,
    enabled: false,
    secretShown: false,
  })
  const lane = laneOf(accountId, null)
  world.notifications.cancelLane(world.tx, lane, NOTIFICATIONS_CANCELLED_MAX)
  // If there are more, they are cancelled when the sender asks for them (exchange-deliveries.ts).
  world.outbox.agenda.addReady(lane)
  world.effects.push({ kind: 'notifications' })
  return describeSetting(before)
}

/**
 * Makes a new secret. It signs every attempt from now on, including repeats of older deliveries.
 *
 * @throws Problem FORBIDDEN on a plan without notifications
 */
export function rotateNotification(world: World, { accountId }: AccountReference): NotificationResource {
  checkPlan(world, accountId)
  const before = signingSetting(world, accountId)
  const setting = { ...before, secret: world.source.signingSecret(), secretShown: true }
  world.notifications.saveSetting(world.tx, setting)
  return describeSetting(setting, setting.secret)
}

/** The account's setting. If there is none, it is made now, with a new secret and without a URL. */
export function signingSetting(world: World, accountId: string): NotificationSetting {
  const known = world.notifications.setting(world.tx, accountId)
  if (known !== undefined) return known
  const made: NotificationSetting = {
    ...WORKING,
    accountId,
    url: null,
    events: NOTIFICATION_EVENTS,
    enabled: false,
    secret: world.source.signingSecret(),
    secretShown: false,
  }
  world.notifications.saveSetting(world.tx, made)
  return made
}

/** @throws Problem FORBIDDEN */
export function checkPlan(world: World, accountId: string): void {
  const plan = planOf(world, accountId)
  if (!plan.notifications)
    throw new Problem('FORBIDDEN', `the plan ${plan.name} has no notifications: choose a plan that has them`)
}
