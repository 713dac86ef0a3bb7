import type { MessageReference } from '#contracts/commands.ts'
import type { FinalFailureCode, Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
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

/**
 * Asks a phone that has fetched a message not to send it any more. The message stays `sending`, because the
 * phone may have started: its report says how the message ended. A phone that asks before it sends gets no
 * such order, because after its `go` it starts at once.
 */
export function cancelHeld(world: World, open: OpenMessage): void {
  const phone = open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
  const flight = phone?.flights.get(open.id)
  if (phone === undefined || flight === undefined || phone.can.asksFirst || !phone.can.cancels) return
  if (open.stage !== 'sending' || flight.progress === 'started') return
  flight.isCancelled = true
  sendOrder(world, phone, { type: 'cancel', messageId: open.id, attempt: flight.attempt })
}
