import type { PhoneNews } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import { startSending } from '#domain/sending/start-sending.ts'
import type { World } from '#domain/world.ts'

/**
 * Answers a phone that asks to begin. After `go` the phone may transmit. So `go` leaves only after its
 * commit, once for each attempt, and only for a message that was offered in this session and is not final.
 */
export function beginSending(
  world: World,
  phone: Phone,
  news: Extract<PhoneNews, { readonly type: 'begin' }>,
): void {
  const { messageId, attempt } = news
  const flight = phone.flights.get(messageId)
  const isOffered =
    flight?.message.stage === 'offered' && flight.session === phone.session?.id && flight.attempt === attempt
  if (world.stopping || !isOffered) return sendOrder(world, phone, { type: 'no', messageId, attempt })
  const mayGo = startSending(world, phone, flight) !== null
  sendOrder(world, phone, { type: mayGo ? 'go' : 'no', messageId, attempt })
  if (!mayGo) offerMessages(world, phone)
}
