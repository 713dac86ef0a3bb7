import type { OpenMessage } from '#domain/message/message-queue.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

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
