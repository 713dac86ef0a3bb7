import type { IncomingText } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import { writeReceivedEvent } from '#domain/notification/notification-events.ts'
import type { World } from '#domain/world.ts'

/** Stores a text that a phone received, unless the phone reported it before, and notifies its account. */
export function recordReceived(world: World, phone: Phone, incoming: IncomingText): void {
  const { wallMs } = world.now
  const received = {
    id: world.source.id('rcv_', wallMs),
    deviceId: phone.id,
    accountId: phone.device.accountId,
    phoneMessageId: incoming.id,
    from: incoming.from,
    text: incoming.text,
    simSlot: incoming.simSlot,
    receivedAt: wallMs,
  }
  if (!world.inbox.insert(world.tx, received)) return
  world.dayCounts.receive(received.accountId, wallMs)
  writeReceivedEvent(world, received)
}
