import { CLOSE, type HelloFrame } from '#contracts/device-frames.ts'
import type { Connection, Phone } from '#domain/device/phone.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { tellDevice } from '#domain/notification/tell.ts'
import { withdrawOffer } from '#domain/sending/offer-messages.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * A phone said `hello`: it gets a new session, and an older one of the same phone is over. Offers of the
 * older one are void; what it was told `go` for is settled by the `sync` that must follow.
 */
export function openSession(
  world: World,
  hello: { readonly deviceId: string; readonly connection: Connection; readonly frame: HelloFrame },
): void {
  const phone = world.fleet.phones.get(hello.deviceId)
  const { connection, frame } = hello
  if (phone === undefined) {
    world.effects.push({ kind: 'close', connection, code: CLOSE.removed, reason: 'this device was removed' })
    return
  }
  if (isLate(phone, connection)) {
    const reason = 'a newer connection of this device is there'
    world.effects.push({ kind: 'close', connection, code: CLOSE.superseded, reason })
    return
  }
  phone.newestConnection = connection
  const older = phone.session
  if (older !== null) {
    endSession(world, phone)
    const reason = 'another connection of this device took over'
    if (!sameConnection(older.connection, connection))
      world.effects.push({ kind: 'close', connection: older.connection, code: CLOSE.superseded, reason })
  }
  const { wallMs, monoMs } = world.now
  const id = world.source.id('ses_', wallMs)
  phone.session = { id, connection, synced: false, since: monoMs }
  world.fleet.unsettled.set(phone.session, 'opened')
  phone.saysBusy = false
  phone.heardAtMono = monoMs
  phone.lastSeenAt = wallMs
  const wasOnline = phone.device.announcedOnline
  phone.device = {
    ...phone.device,
    platform: frame.platform,
    appVersion: frame.appVersion,
    sims: frame.sims.length > 0 ? frame.sims : phone.device.sims,
    lastSeenAt: wallMs,
    announcedOnline: true,
  }
  world.devices.save(world.tx, phone.device)
  if (!wasOnline) tellDevice(world, phone, 'device.online')
  const pingEverySeconds = Math.max(1, Math.floor(world.settings.offlineAfterMs / 3000))
  const welcome = { type: 'welcome', session: id, serverTime: instant(wallMs), pingEverySeconds } as const
  world.effects.push({ kind: 'frame', connection, frame: welcome })
}

/**
 * A connection that the phone gave up, and whose first words were on their way for long: what its `sync` says
 * of a message may be older than the `go` of a newer connection.
 */
function isLate(phone: Phone, connection: Connection): boolean {
  const newest = phone.newestConnection
  return newest != null && connection.socket < newest.socket
}

/**
 * Ends the session in memory: offers return to the queue, what is being sent stays until the next `sync`. The
 * messages that are free again are returned.
 */
export function endSession(world: World, phone: Phone): readonly OpenMessage[] {
  phone.session = null
  phone.saysBusy = false
  const flights = [...phone.flights.values()]
  const freed = flights.map(({ message }) => message).filter(({ place }) => place === 'offered')
  for (const open of freed) withdrawOffer(world, phone, open)
  return freed
}

export function sameConnection(a: Connection, b: Connection): boolean {
  return a.listener === b.listener && a.socket === b.socket
}
