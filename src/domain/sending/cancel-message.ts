import type { MessageReference } from '#contracts/commands.ts'
import type { FinalFailureCode, Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import type { World } from '#domain/world.ts'

/**
 * Cancels a queued message. It may be queued again after an attempt that failed.
 *
 * @throws Problem NOT_FOUND; CONFLICT when a phone is sending it or it is final
 */
export function cancelMessage(world: World, which: MessageReference): Message {
  const message = world.messages.find(world.tx, which.messageId)
  if (message === undefined || message.accountId !== which.accountId || message.test !== which.test)
    throw notFound('message')
  const open = world.fleet.messages.get(which.messageId)
  if (message.status !== 'queued' || open === undefined)
    throw new Problem('CONFLICT', `the message is ${message.status}: only a queued message can be cancelled`)
  endQueued(world, open, 'CANCELLED')
  return world.messages.find(world.tx, which.messageId) ?? message
}

/** Ends a queued message. A phone that it was offered to gets another one. */
export function endQueued(world: World, open: OpenMessage, code: FinalFailureCode): void {
  const phone = open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
  const freesSlot = open.stage === 'offered'
  endMessage(world, open, code)
  if (freesSlot && phone !== undefined) offerMessages(world, phone)
}
