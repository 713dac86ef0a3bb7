import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { NOTIFICATIONS_CANCELLED_MAX } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { ForwardResource } from '#contracts/forward.ts'
import type { DeliveryResource } from '#contracts/notification.ts'
import type { OwnedReference } from '#contracts/owned.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { findForwardIssues } from '#domain/forward/adapters.ts'
import { describeForward } from '#domain/forward/describe-forward.ts'
import { WORKING } from '#domain/forward/failing.ts'
import type { Forward } from '#domain/forward/forward.ts'
import { CREDENTIAL_AGAIN, isOtherOrigin } from '#domain/network/same-origin.ts'
import { describeDelivery } from '#domain/notification/describe-notification.ts'
import { addForwarded } from '#domain/notification/write-forwards.ts'
import { existing, invalid, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** A fictional number, like those of the sandbox. */
const TEST_SENDER = '+15005550000'
const TEST_TEXT = 'This is a test from Roost. Received texts arrive here.'

/** @throws Problem INVALID_REQUEST, and as `newOwned` */
export function createForward(world: World, input: CommandInput<'forward.create'>): ForwardResource {
  const held = world.forwards.list(input.accountId).length
  const made = newOwned(world, input, { kind: 'forward', bound: ACCOUNT_BOUNDS.forwards, held })
  return save(world, { ...made, ...WORKING })
}

/**
 * Changes the given fields and keeps the rest. What waits goes to the new target. A change of where texts go,
 * and switching on, forget earlier failures. Another server gets no stored credential.
 *
 * @throws Problem NOT_FOUND, INVALID_REQUEST
 */
export function updateForward(world: World, input: CommandInput<'forward.update'>): ForwardResource {
  const { change } = input
  const known = existing(world.forwards, input, 'forward')
  const isNew = [change.url, change.target, change.credential].some(field => field !== undefined)
  // Who may change the address must not learn what was stored for the one before.
  const isMoved = change.url !== undefined && isOtherOrigin(known.url, change.url)
  if (isMoved && known.credential !== null && change.credential === undefined)
    throw invalid([{ path: 'credential', message: CREDENTIAL_AGAIN }])
  const isAfresh = isNew || change.enabled === true
  const forward = { ...known, ...change, ...(isAfresh && WORKING) }
  const shown = save(world, forward)
  world.outbox.agenda.addReady(forward.id)
  world.effects.push({ kind: 'notifications' })
  return shown
}

/** @throws Problem NOT_FOUND */
export function removeForward(world: World, which: OwnedReference): { readonly id: string } {
  const { id } = existing(world.forwards, which, 'forward')
  world.forwards.remove(world.tx, which)
  world.notifications.cancelLane(world.tx, id, NOTIFICATIONS_CANCELLED_MAX)
  // If there are more, they are cancelled when the sender asks for them (exchange-deliveries.ts).
  world.outbox.agenda.addReady(id)
  world.effects.push({ kind: 'notifications' })
  return { id }
}

/** Passes a sample text on. @throws Problem NOT_FOUND, CONFLICT (it is switched off) */
export function testForward(world: World, which: OwnedReference): DeliveryResource {
  const forward = existing(world.forwards, which, 'forward')
  if (!forward.enabled) throw new Problem('CONFLICT', 'this forward is switched off: switch it on first')
  const { wallMs } = world.now
  const messageId = world.source.id('rcv_', wallMs)
  const sample = { id: messageId, from: TEST_SENDER, text: TEST_TEXT, deviceId: '', simSlot: null }
  return describeDelivery(addForwarded(world, forward, { ...sample, receivedAt: wallMs, sentAt: null }))
}

/** @throws Problem INVALID_REQUEST */
function save({ onCall, forwards, tx }: World, forward: Forward): ForwardResource {
  const isPerson = (id: string) => onCall.person.find(forward.accountId, id) !== undefined
  const issues = findForwardIssues(forward, isPerson)
  if (issues.length > 0) throw invalid(issues)
  forwards.save(tx, forward)
  return describeForward(forward)
}
