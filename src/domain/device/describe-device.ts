import type { DeviceDetail, DeviceListItem } from '#contracts/device.ts'
import { isReceiveTrouble, RECEIVE_TROUBLE } from '#contracts/phone-orders.ts'
import { segmentsInMonth, segmentsOnDay } from '#domain/device/cap.ts'
import type { Phone } from '#domain/device/phone.ts'
import { proofOf } from '#domain/drill/drill.ts'
import { dayOf, instant, instantOrNull } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** One line of the list of devices. */
export function describeDevice(world: Pick<World, 'fleet' | 'now'>, phone: Phone): DeviceListItem {
  const { device } = phone
  const { drill } = device
  const proof = proofOf(device)
  const sim = device.sims[0]
  // Also count messages that any phone may send. If no phone can send, all waiting messages are of this kind.
  const forGroups = world.fleet.groupsWith(phone).reduce((sum, { queue }) => sum + queue.length, 0)
  const unassigned = world.fleet.unassigned(device.accountId).length + forGroups
  return {
    deviceId: device.id,
    name: device.name,
    status: phone.status,
    lastSeen: instant(phone.lastSeenAt),
    smsToday: device.sentDay === dayOf(world.now.wallMs) ? device.sentCount : 0,
    segmentsToday: segmentsOnDay(device, world.now.wallMs),
    smsThisMonth: segmentsInMonth(device, world.now.wallMs),
    smsPerDayMax: device.smsPerDayMax,
    smsPerMonthMax: device.smsPerMonthMax,
    monthStartsOn: device.monthStartsOn,
    simInfo: { carrier: sim?.carrier ?? null, countryCode: sim?.countryCode ?? null },
    paused: device.paused,
    kind: device.protocol,
    trouble: phone.trouble ?? receiveTroubleOf(phone),
    calls: device.calls === true,
    receives: phone.receives,
    driver: device.driver,
    battery: device.battery,
    charging: device.charging,
    signal: device.signal,
    queueLength: phone.queueLength + phone.offeredCount + unassigned,
    segmentsPerMinute: phone.pacing.segmentsPerMinute,
    phoneNumber: device.phoneNumber,
    drill: drill === null ? null : { every: drill.every, at: drill.at, to: drill.to, simSlot: drill.simSlot },
    proven: {
      sends: instantOrNull(proof.sends),
      receives: instantOrNull(proof.receives),
      tookMs: proof.tookMs,
    },
  }
}

function receiveTroubleOf({ receiveTrouble }: Phone): string | null {
  if (receiveTrouble === null || isReceiveTrouble(receiveTrouble)) return receiveTrouble
  return `${RECEIVE_TROUBLE}: ${receiveTrouble}`
}

/** A device with all its details, as the API shows it. */
export function detailDevice(world: World, phone: Phone): DeviceDetail {
  const { device } = phone
  return {
    ...describeDevice(world, phone),
    platform: device.platform,
    appVersion: device.appVersion,
    sims: device.sims.map(sim => ({ ...sim })),
    pairedAt: instant(device.pairedAt),
  }
}
