import type { Phone } from '#domain/device/phone.ts'
import { tellDevice } from '#domain/notification/tell.ts'
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
  if (phone.can.isReached) noteAway(world, phone)
  if (trouble === null) offerMessages(world, phone)
  else if (could) releaseQueue(world, phone.id)
}

/** The phone cannot be reached, or can be again: its agent's connection tells neither. */
function noteAway(world: World, phone: Phone): void {
  const { monoMs, wallMs } = world.now
  if (phone.trouble === null) {
    phone.awaySinceMono = null
    if (phone.session !== null) announceOnline(world, phone)
    return
  }
  if (phone.awaySinceMono !== null) return
  phone.awaySinceMono = monoMs
  phone.lastSeenAt = wallMs
  if (phone.device.announcedOnline)
    world.deadlines.add(monoMs + world.settings.offlineAfterMs, 'offline', phone.id)
}

/** Tells that a phone is there, unless it was only gone for a moment. */
export function announceOnline(world: World, phone: Phone): void {
  if (phone.device.announcedOnline || !phone.isThere) return
  phone.device = { ...phone.device, announcedOnline: true }
  world.devices.save(world.tx, phone.device)
  world.fleet.lineUp(phone)
  tellDevice(world, phone, 'device.online')
}
