import { cleanOrNull, TROUBLE_LENGTH_MAX } from '#domain/device/clean-details.ts'
import type { Phone, PhoneHindrance } from '#domain/device/phone.ts'
import { writeDeviceEvent } from '#domain/notification/notification-events.ts'
import { offerMessages, releaseQueue, withdrawOffer } from '#domain/sending/offer-messages.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

/**
 * Handles a phone's report that it cannot send (`reported` says why) or, with null, that it can. A phone that
 * cannot send gets no offers. Its messages move to other phones, except those that it has begun and those
 * that are pinned to it.
 */
export function setTrouble(world: World, phone: Phone, reported: string | null): void {
  const trouble = cleanOrNull(reported, TROUBLE_LENGTH_MAX)
  if (trouble === phone.reportedTrouble) return
  const before = phone.trouble
  phone.reportedTrouble = trouble
  if (phone.can.isReached) recordReachability(world, phone)
  followTrouble(world, phone, before)
}

/** Records what the gateway itself found about the phone. It counts like a report of the phone. */
export function setFinding(world: World, phone: Phone, finding: PhoneHindrance | null): void {
  if (finding?.words === phone.finding?.words) return
  const before = phone.trouble
  phone.finding = finding
  world.devices.noteChange(phone.device)
  followTrouble(world, phone, before)
}

/** Removes a finding of this kind, because it is over. */
export function clearFinding(world: World, phone: Phone, kind: PhoneHindrance['kind']): void {
  if (phone.finding?.kind === kind) setFinding(world, phone, null)
}

const LACKS = {
  password: 'its password file is missing in secrets/: remove the phone and add it again',
  modem: 'an older phone uses this modem or its SIM: remove this one',
}

/** Records what the gateway lacks, so that the phone's agent cannot start. */
export function noteAccess(world: World, phone: Phone, lacks: keyof typeof LACKS | null): void {
  if (lacks === null) clearFinding(world, phone, 'no-access')
  else setFinding(world, phone, { kind: 'no-access', words: LACKS[lacks] })
}

function followTrouble(world: World, phone: Phone, before: string | null): void {
  if (phone.trouble === null) {
    if (before !== null) offerMessages(world, phone)
  } else if (before === null) {
    withdrawOffers(world, phone)
    releaseQueue(world, phone.id)
  }
}

/**
 * Withdraws all offers to the phone. At the end of the transaction, other phones are offered those messages
 * that are not pinned to this one.
 */
export function withdrawOffers(world: World, phone: Phone): void {
  for (const { message, attempt } of [...phone.flights.values()]) {
    if (message.stage !== 'offered') continue
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
  if (phone.reportedTrouble === null) {
    phone.unreachableSinceMono = null
    announceOnline(world, phone)
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
  phone.tally.noteOnline(true, world.now.monoMs)
  world.devices.save(world.tx, phone.device)
  world.fleet.setOnline(phone, true)
  writeDeviceEvent(world, phone, 'device.online')
}
