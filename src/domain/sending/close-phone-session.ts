import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { Phone } from '#domain/device/phone.ts'
import type { Fleet } from '#domain/fleet.ts'
import { writeDeviceEvent } from '#domain/notification/notification-events.ts'
import { releaseQueue } from '#domain/sending/offer-messages.ts'
import { endPhoneSession, isCurrent, sameConnection } from '#domain/sending/open-phone-session.ts'
import type { World } from '#domain/world.ts'

export interface ClosedConnection {
  readonly deviceId: string
  readonly connection: PhoneConnection
  /** Milliseconds since the phone was last heard on this connection. */
  readonly silentMs: number
}

/**
 * Handles a closed connection. A phone's session ends with its last connection. The phone counts as offline
 * `offline_after_s` after it was last heard.
 */
export function closePhoneSession(world: World, closed: ClosedConnection): void {
  const phone = world.fleet.phones.get(closed.deviceId)
  if (phone === undefined || !isCurrent(phone, closed.connection)) return
  if (dropConnection(phone, closed.connection)) return
  const { monoMs, wallMs } = world.now
  if (phone.session?.synced) {
    phone.heardAtMono = Math.max(phone.heardAtMono, monoMs - closed.silentMs)
    phone.lastSeenAt = Math.max(phone.lastSeenAt, wallMs - closed.silentMs)
  }
  const withdrawn = endPhoneSession(world, phone)
  phone.device = { ...phone.device, lastSeenAt: phone.lastSeenAt }
  world.devices.save(world.tx, phone.device)
  world.deadlines.add(phone.heardAtMono + world.settings.offlineAfterMs, 'offline', phone.id)
  if (withdrawn.length > 0) world.fleet.accountsToOffer.add(phone.device.accountId)
}

/** Closes a session in memory after the transaction that closed it failed: its connection is gone anyway. */
export function forgetPhoneSession(
  fleet: Fleet,
  { deviceId, connection }: Omit<ClosedConnection, 'silentMs'>,
): void {
  const phone = fleet.phones.get(deviceId)
  if (phone === undefined || !isCurrent(phone, connection)) return
  if (!dropConnection(phone, connection)) phone.session = null
}

/**
 * Removes the connection from the session. False: it was the last one, and the caller must end the session.
 */
function dropConnection({ session }: Phone, connection: PhoneConnection): boolean {
  const left = session?.connections.filter(one => !sameConnection(one, connection)) ?? []
  if (session === null || left.length === 0) return false
  session.connections = left
  return true
}

/** Handles the end of a listener thread: all its connections are closed. */
export function closeListener(world: World, listener: number): void {
  for (const phone of world.fleet.phones.values()) {
    for (const connection of phone.session?.connections ?? [])
      if (connection.listener === listener)
        closePhoneSession(world, { deviceId: phone.id, connection, silentMs: 0 })
  }
}

/** Reports a disconnected phone as offline, and moves its messages to other phones. */
export function announceOffline(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  const { offlineAfterMs } = world.settings
  if (phone === undefined || phone.isReachable || !phone.device.announcedOnline) return
  // A phone that fetches messages may have been heard without a connection.
  if (phone.isConnected(world.now.monoMs, offlineAfterMs))
    return world.deadlines.add(
      (phone.unreachableSinceMono ?? phone.heardAtMono) + offlineAfterMs,
      'offline',
      phone.id,
    )
  phone.device = { ...phone.device, announcedOnline: false }
  phone.tally.noteOnline(false, world.now.monoMs)
  world.fleet.setOnline(phone, false)
  world.devices.save(world.tx, phone.device)
  writeDeviceEvent(world, phone, 'device.offline')
  releaseQueue(world, deviceId)
}
