import type { Phone } from '#domain/device/phone.ts'
import { offerMessages, releaseQueue } from '#domain/sending/offer-messages.ts'
import type { World } from '#domain/world.ts'

/**
 * A phone says why it cannot send, or (null) that it can again. While it cannot, it is offered nothing, and
 * messages that are not pinned to it go to other phones.
 */
export function setTrouble(world: World, phone: Phone, trouble: string | null): void {
  if (trouble === phone.trouble) return
  const could = phone.trouble === null
  phone.trouble = trouble
  if (trouble === null) offerMessages(world, phone)
  else if (could) releaseQueue(world, phone.id)
}
