import type { ReceivedResource } from '#contracts/inbox.ts'
import type { ReceivedText } from '#domain/inbox/inbox-reader.ts'
import { instant, instantOrNull } from '#domain/time.ts'

/** A received text as the API shows it. */
export function describeReceived(received: ReceivedText): ReceivedResource {
  const { id, from, text, receivedAt, sentAt, deviceId, simSlot } = received
  return {
    id,
    from: from === '' ? null : from,
    message: text,
    receivedAt: instant(receivedAt),
    sentAt: instantOrNull(sentAt),
    deviceId,
    simSlot,
  }
}
