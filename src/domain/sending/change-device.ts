import type { DeviceReference } from '#contracts/commands.ts'
import type { DeviceChange, DeviceDetail } from '#contracts/device.ts'
import { detailDevice } from '#domain/device/describe-device.ts'
import type { Phone } from '#domain/device/phone.ts'
import { isCross } from '#domain/drill/drill.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { notFound } from '#domain/problem.ts'
import { cancelHeld } from '#domain/sending/cancel-message.ts'
import { withDrills } from '#domain/sending/change-plan.ts'
import { watchCap, withCaps } from '#domain/sending/count-segments.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { clearBrokenWith, judgeChain } from '#domain/sending/judge-chain.ts'
import { offerMessages, offerToAll, releaseQueue } from '#domain/sending/offer-messages.ts'
import { endPhoneSession } from '#domain/sending/open-phone-session.ts'
import { endPlanned, skipOpenDrills, TARGET_REMOVED } from '#domain/sending/run-drills.ts'
import { closeConnection } from '#domain/sending/send-order.ts'
import { withdrawOffers } from '#domain/sending/set-trouble.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem NOT_FOUND */
export function referencedPhone(world: Pick<World, 'fleet'>, which: DeviceReference): Phone {
  const phone = world.fleet.phoneOf(which.accountId, which.deviceId)
  if (phone === undefined) throw notFound('device')
  return phone
}

/**
 * Renames or pauses a phone, or changes its pace, caps, number or plan of drills. A paused phone finishes
 * what it began and gets no new offers.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (number, phone of the plan); CONFLICT (number of another phone)
 */
export function updateDevice(
  world: World,
  input: DeviceReference & { readonly change: DeviceChange },
): DeviceDetail {
  const phone = referencedPhone(world, input)
  const { name, paused, segmentsPerMinute, drill, phoneNumber, ...caps } = input.change
  const planned = withDrills(world, phone, { drill, phoneNumber })
  phone.device = {
    ...withCaps(phone, withoutUndefined(caps), world.now.wallMs),
    ...planned,
    name: name ?? phone.device.name,
    paused: paused ?? phone.device.paused,
    segmentsPerMinute: segmentsPerMinute === undefined ? phone.device.segmentsPerMinute : segmentsPerMinute,
  }
  const pace = phone.device.segmentsPerMinute ?? world.settings.segmentsPerMinute
  phone.pacing.changePace(pace, world.now.monoMs)
  world.devices.save(world.tx, phone.device)
  if (drill === null) endPlanned(world, phone, 'plan removed')
  if (paused === true) releaseQueue(world, phone.id)
  watchCap(world, phone)
  if (phone.roomLeft < 0) withdrawOffers(world, phone)
  world.deadlines.add(world.now.monoMs, 'drill-plan', phone.id)
  if (phone.can.isReached) world.effects.push({ kind: 'reached-phones' })
  offerMessages(world, phone)
  return detailDevice(world, phone)
}

/**
 * Removes a phone. Messages that other phones may send move to these phones. Messages pinned to this phone
 * fail. Messages for which it got `go` end as OUTCOME_UNKNOWN and are not sent again, because it can no
 * longer report.
 */
export function removeDevice(world: World, input: DeviceReference): { readonly deviceId: string } {
  const phone = referencedPhone(world, input)
  const { session } = phone
  for (const { message } of phone.flights.values()) cancelHeld(world, message)
  if (session !== null) {
    endPhoneSession(world, phone)
    for (const connection of session.connections)
      closeConnection(world, connection, { why: 'removed', reason: 'this device was removed' })
  }
  for (const { message } of [...phone.flights.values()]) endMessage(world, message, 'OUTCOME_UNKNOWN')
  for (const open of phone.pinned.drain()) endMessage(world, open, 'DEVICE_REMOVED')
  world.messages.unassign(world.tx, phone.id)
  for (const open of [...world.fleet.messages.values()]) {
    if (open.deviceId !== phone.id) continue
    if (open.pinned) endMessage(world, open, 'DEVICE_REMOVED')
    else if (open.stage === 'resting') open.deviceId = null
    else unassignMessage(world, open)
  }
  const cross = world.drills.open(phone.device.accountId).filter(isCross)
  skipOpenDrills(world, TARGET_REMOVED, drill => drill.toDeviceId === phone.id)
  world.drills.removeOf(world.tx, phone.id)
  world.devices.remove(world.tx, phone.id, world.now.wallMs)
  const groups = world.fleet.groupsWith(phone)
  world.fleet.remove(phone)
  clearBrokenWith(world, phone)
  // A verdict may have waited for what ended here.
  for (const { firstId, deviceId, toDeviceId } of cross)
    if (deviceId === phone.id || toDeviceId === phone.id)
      judgeChain(world, phone, { firstId: firstId ?? '', isLast: false })
  for (const group of groups) {
    group.row = { ...group.row, devices: group.row.devices.filter(id => id !== phone.id) }
    world.deviceGroups.save(world.tx, group.row)
    world.deadlines.add(world.now.monoMs, 'group', group.row.id)
  }
  if (phone.can.isReached) world.effects.push({ kind: 'reached-phones' })
  offerToAll(world, phone.device.accountId)
  return { deviceId: phone.id }
}

/** Moves a waiting message from its phone to the messages that any phone may send. */
function unassignMessage(world: Pick<World, 'fleet'>, open: OpenMessage): void {
  world.fleet.unqueue(open)
  open.deviceId = null
  world.fleet.enqueue(open)
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
