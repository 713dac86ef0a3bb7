import type { Phone } from '#domain/device/phone.ts'
import { tellDevice } from '#domain/notification/tell.ts'
import { offerMessages, releaseQueue } from '#domain/sending/offer-messages.ts'
import type { World } from '#domain/world.ts'

/**
 * A phone reports why it cannot send, or (null) that it can again. Meanwhile it gets no offers, and messages
 * not pinned to it move to other phones.
 */
export function setTrouble(world: World, phone: Phone, trouble: string | null): void {
  if (trouble === phone.trouble) return
  const could = phone.trouble === null
  phone.trouble = trouble
  if (phone.can.isReached) noteAway(world, phone)
  if (trouble === null) offerMessages(world, phone)
  else if (could) releaseQueue(world, phone.id)
}

/** The phone became unreachable, or reachable again; its agent's connection shows neither. */
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

/** Announces that a phone is online, unless it was only away for a moment. */
export function announceOnline(world: World, phone: Phone): void {
  if (phone.device.announcedOnline || !phone.isThere) return
  phone.device = { ...phone.device, announcedOnline: true }
  world.devices.save(world.tx, phone.device)
  world.fleet.lineUp(phone)
  tellDevice(world, phone, 'device.online')
}
