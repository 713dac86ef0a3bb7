/** Turns changes into events: which changes cause an event, and what each event contains. */
import type { Phone } from '#domain/device/phone.ts'
import type { Message } from '#domain/message/message.ts'
import type { EventFacts } from '#domain/notification/event-body.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Writes an event if a message's new status is `sent`, `delivered` or `failed`. */
export function writeStatusEvent(world: World, message: Message): void {
  const facts = statusFacts(message, world.now.wallMs)
  if (facts === null) return
  const { accountId, id, notificationUrl } = message
  writeEvent(world, { accountId, subjectId: id, ownUrl: notificationUrl, facts })
}

/** Logs a failure for the operator: what failed and why, never the text. */
export function logFailure(world: World, { id, deviceId, failure, test }: Message): void {
  if (failure === null || test) return
  const { code, message: reason } = failure
  const phone = deviceId === null ? null : (world.fleet.phones.get(deviceId)?.device.name ?? deviceId)
  const fields = { messageId: id, code, phone, reason }
  world.effects.push({ kind: 'log', level: 'info', event: 'message.failed', fields })
}

/** Writes an event: a phone is online, or has been offline for longer than a reconnect takes. */
export function writeDeviceEvent(
  world: World,
  phone: Phone,
  event: 'device.online' | 'device.offline',
): void {
  const { id, name, accountId } = phone.device
  const data = {
    deviceId: id,
    name,
    status: event === 'device.online' ? ('online' as const) : ('offline' as const),
    lastSeen: instant(phone.lastSeenAt),
  }
  writeEvent(world, {
    accountId,
    subjectId: id,
    ownUrl: null,
    facts: { event, at: world.now.wallMs, data },
  })
  world.effects.push({ kind: 'log', level: 'info', event, fields: { deviceId: id, name } })
  const { monoMs } = world.now
  const { offlineAfterMs } = world.settings
  for (const one of world.fleet.phonesOf(accountId)) {
    if (one.isConnected(monoMs, offlineAfterMs)) return
  }
  // No phone of the account is connected, so its texts wait from now on.
  world.effects.push({ kind: 'log', level: 'warn', event: 'device.last_offline', fields: { accountId } })
}

function statusFacts(message: Message, at: number): EventFacts | null {
  const { id: messageId, phoneNumber, test, status, failure } = message
  switch (status) {
    case 'sent':
      return { event: 'sms.sent', at, test, data: { messageId, phoneNumber, status } }
    case 'delivered':
      return { event: 'sms.delivered', at, test, data: { messageId, phoneNumber, status } }
    case 'failed':
      if (failure === null) throw new Error('a failed message has no failure')
      return { event: 'sms.failed', at, test, data: { messageId, phoneNumber, status, failure } }
    case 'queued':
    case 'sending':
      return null
  }
}
