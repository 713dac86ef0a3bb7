import type { Phone } from '#domain/device/phone.ts'
import { writeDeviceEvent } from '#domain/notification/notification-events.ts'
import { offerMessages, releaseQueue, withdrawOffer } from '#domain/sending/offer-messages.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

/**
 * Handles a phone's report that it cannot send (`trouble` says why) or, with null, that it can. A phone that
 * cannot send gets no offers. Its messages move to other phones, except those that it has begun and those
 * that are pinned to it.
 */
export function setTrouble(world: World, phone: Phone, trouble: string | null): void {
  if (trouble === phone.trouble) return
  const couldSend = phone.trouble === null
  phone.trouble = trouble
  if (phone.can.isReached) recordReachability(world, phone)
  if (trouble === null) offerMessages(world, phone)
  else if (couldSend) {
    withdrawOffers(world, phone)
    releaseQueue(world, phone.id)
  }
}

/**
 * Withdraws all offers to the phone. At the end of the transaction, other phones are offered those messages
 * that are not pinned to this one.
 */
function withdrawOffers(world: World, phone: Phone): void {
  for (const { message, attempt } of [...phone.flights.values()]) {
    if (message.place !== 'offered') continue
    sendOrder(world, phone, { type: 'no', messageId: message.id, attempt })
    withdrawOffer(world, phone, message)
    world.fleet.accountsToOffer.add(phone.device.accountId)
  }
}

/**
 * Records that a phone became unreachable or reachable again. The connection of its agent does not show this.
 */
function recordReachability(world: World, phone: Phone): void {
  const { monoMs, wallMs } = world.now
  if (phone.trouble === null) {
    phone.unreachableSinceMono = null
    if (phone.session !== null) announceOnline(world, phone)
    return
  }
  if (phone.unreachableSinceMono !== null) return
  phone.unreachableSinceMono = monoMs
  phone.lastSeenAt = wallMs
  if (phone.device.announcedOnline)
    world.deadlines.add(monoMs + world.settings.offlineAfterMs, 'offline', phone.id)
}

/** Announces that a phone is online, unless it was offline for less than `offline_after_s`. */
export function announceOnline(world: World, phone: Phone): void {
  if (phone.device.announcedOnline || !phone.isReachable) return
  phone.device = { ...phone.device, announcedOnline: true, lastSeenAt: phone.lastSeenAt }
  world.devices.save(world.tx, phone.device)
  world.fleet.updateRank(phone)
  writeDeviceEvent(world, phone, 'device.online')
}
