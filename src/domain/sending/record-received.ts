import { cleanWords } from '#contracts/clean-words.ts'
import type { IncomingText } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import type { World } from '#domain/world.ts'

const SENDER_LENGTH_MAX = 64

/** Stores a text that a phone received, unless the phone reported it before, and notifies its account.
 * Null: it did. */
export function recordReceived(world: World, phone: Phone, incoming: IncomingText): ReceivedMessage | null {
  const { wallMs } = world.now
  const received = {
    id: world.source.id('rcv_', wallMs),
    deviceId: phone.id,
    accountId: phone.device.accountId,
    phoneMessageId: incoming.id,
    from: cleanWords(incoming.from, SENDER_LENGTH_MAX),
    // Format characters stay: texts in Arabic or with emoji need them.
    text: incoming.text.replace(/[[\p{Cc}\p{Cs}]--[\n\r\t]]/gv, ''),
    simSlot: incoming.simSlot,
    receivedAt: wallMs,
    sentAt: incoming.sentAt,
  }
  if (!world.inbox.insert(world.tx, received)) return null
  world.dayCounts.receive(received.accountId, wallMs)
  writeReceivedEvent(world, received)
  return received
}

function writeReceivedEvent(world: World, received: ReceivedMessage): void {
  const { id: messageId, ...data } = describeReceived(received)
  writeEvent(world, {
    accountId: received.accountId,
    subjectId: messageId,
    ownUrl: null,
    facts: { event: 'sms.received', at: received.receivedAt, data: { messageId, ...data } },
  })
}
