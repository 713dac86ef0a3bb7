/** Which changes are events, and what each tells. */
import type { Phone } from '#domain/device/phone.ts'
import type { Message } from '#domain/message/message.ts'
import type { ReceivedMessage } from '#domain/message/message-store.ts'
import type { EventFacts } from '#domain/notification/event-body.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A message has another status: sent, delivered and failed are events. */
export function tellStatus(world: World, message: Message): void {
  const facts = statusFacts(message, world.now.wallMs)
  if (facts === null) return
  const { accountId, id, notificationUrl } = message
  writeEvent(world, { accountId, subjectId: id, ownUrl: notificationUrl, facts })
}

/** A phone is reachable, or was not for longer than it takes to come back. */
export function tellDevice(world: World, phone: Phone, event: 'device.online' | 'device.offline'): void {
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
}

/** A phone handed over a message that it received. */
export function tellReceived(world: World, received: ReceivedMessage): void {
  const { id, accountId, from, text, receivedAt, deviceId, simSlot } = received
  const data = { messageId: id, from, message: text, receivedAt: instant(receivedAt), deviceId, simSlot }
  writeEvent(world, {
    accountId,
    subjectId: id,
    ownUrl: null,
    facts: { event: 'sms.received', at: receivedAt, data },
  })
}

function statusFacts(message: Message, at: number): EventFacts | null {
  const { id: messageId, phoneNumber, test, status, failure } = message
  switch (status) {
    case 'sent':
      return { event: 'sms.sent', at, test, data: { messageId, phoneNumber, status } }
    case 'delivered':
      return { event: 'sms.delivered', at, test, data: { messageId, phoneNumber, status } }
    case 'failed':
      if (failure === null) throw new Error('a failed message has a failure')
      return { event: 'sms.failed', at, test, data: { messageId, phoneNumber, status, failure } }
    case 'queued':
    case 'sending':
      return null
  }
}
