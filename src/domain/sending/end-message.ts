import { type FinalFailureCode, failure } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { changeStatus } from '#domain/sending/change-status.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

/** Ends an open message without a phone's report, for example because it expired or was cancelled. */
export function endMessage(world: World, open: OpenMessage, code: FinalFailureCode): void {
  const message = world.messages.find(world.tx, open.id)
  const { stage } = open
  const phone = open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
  const flight = phone?.flights.get(open.id)
  world.fleet.forget(open)
  if (stage === 'offered') phone?.pacing.refund(open.segments)
  // A phone that fetches messages may still drop one that it has not started.
  const isFetched = stage === 'sending' && phone?.can.asksFirst === false && flight?.progress !== 'started'
  const canDrop = stage === 'offered' || isFetched
  if (flight !== undefined && canDrop && phone?.can.cancels)
    sendOrder(world, phone, { type: 'cancel', messageId: open.id, attempt: flight.attempt })
  if (message === undefined || message.status === 'delivered' || message.status === 'failed') return
  changeStatus(world, message, { status: 'failed', failure: failure(code) })
}
