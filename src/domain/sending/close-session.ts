import type { Connection } from '#domain/device/phone.ts'
import type { Fleet } from '#domain/fleet.ts'
import { tellDevice } from '#domain/notification/tell.ts'
import { assign, offerToAll } from '#domain/sending/offer-messages.ts'
import { endSession, sameConnection } from '#domain/sending/open-session.ts'
import type { World } from '#domain/world.ts'

export interface Closed {
  readonly deviceId: string
  readonly connection: Connection
  /** Milliseconds since the phone was last heard on it. */
  readonly silentMs: number
}

/** A socket closed. Whether the phone counts as offline is decided `offline_after_s` after its last word. */
export function closeSession(world: World, closed: Closed): void {
  const phone = world.fleet.phones.get(closed.deviceId)
  if (phone?.session == null || !sameConnection(phone.session.connection, closed.connection)) return
  const { monoMs, wallMs } = world.now
  phone.heardAtMono = Math.max(phone.heardAtMono, monoMs - closed.silentMs)
  phone.lastSeenAt = Math.max(phone.lastSeenAt, wallMs - closed.silentMs)
  const freed = endSession(world, phone)
  phone.device = { ...phone.device, lastSeenAt: phone.lastSeenAt }
  world.devices.save(world.tx, phone.device)
  world.deadlines.add(phone.heardAtMono + world.settings.offlineAfterMs, 'offline', phone.id)
  if (freed.length > 0) world.fleet.freed.add(phone.device.accountId)
}

/** What is left of a close whose transaction failed: the socket is gone whatever the disk says. */
export function forgetSession(fleet: Fleet, { deviceId, connection }: Omit<Closed, 'silentMs'>): void {
  const phone = fleet.phones.get(deviceId)
  if (phone?.session && sameConnection(phone.session.connection, connection)) phone.session = null
}

/** A listener thread ended: every session that it held is over. */
export function loseListener(world: World, listener: number): void {
  for (const phone of world.fleet.phones.values()) {
    const connection = phone.session?.connection
    if (connection?.listener === listener)
      closeSession(world, { deviceId: phone.id, connection, silentMs: 0 })
  }
}

/** The time after which a dropped phone counts as offline is over: its messages go to the others. */
export function announceOffline(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  const { offlineAfterMs } = world.settings
  if (
    phone === undefined ||
    !phone.device.announcedOnline ||
    phone.isConnected(world.now.monoMs, offlineAfterMs)
  )
    return
  phone.device = { ...phone.device, announcedOnline: false }
  world.devices.save(world.tx, phone.device)
  tellDevice(world, phone, 'device.offline')
  releaseQueue(world, deviceId)
}

/** Takes what waits for the phone by choice off it, for whichever phone can send it first. */
export function releaseQueue(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  if (phone === undefined || phone.queue.length === 0) return
  for (const open of phone.queue.drain()) {
    assign(world, open, null)
    world.fleet.enqueue(open)
  }
  offerToAll(world, phone.device.accountId)
}
