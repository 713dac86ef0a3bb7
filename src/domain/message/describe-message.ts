import type { MessageResource } from '#contracts/message.ts'
import type { Message } from '#domain/message/message.ts'
import { instant, instantOrNull } from '#domain/time.ts'

/**
 * The message as the API shows it. Text and number are null after retention has removed them.
 *
 * @param isPretend whether a device of this id, also a removed one, is a pretend phone
 */
export function describeMessage(message: Message, isPretend: (deviceId: string) => boolean): MessageResource {
  return {
    messageId: message.id,
    status: message.status,
    kind: message.kind,
    phoneNumber: message.phoneNumber === '' ? null : message.phoneNumber,
    message: message.text === '' ? null : message.text,
    deviceId: message.deviceId,
    deviceGroupId: message.deviceGroupId,
    pretend: message.deviceId !== null && isPretend(message.deviceId),
    webhookId: message.webhookId,
    guess: message.guess,
    segments: message.segments,
    encoding: message.encoding,
    createdAt: instant(message.createdAt),
    sendAt: instantOrNull(message.sendAt),
    sentAt: instantOrNull(message.sentAt),
    deliveredAt: instantOrNull(message.deliveredAt),
    expiresAt: instant(message.expiresAt),
    failure: message.failure,
    timeline: describeTimeline(message),
  }
}

/** A try that failed is known by the phone of the entry after it; the last one by that of the message. */
function describeTimeline({ timeline, deviceId: last }: Message): MessageResource['timeline'] {
  return timeline.map(({ status, at }, index) => {
    const entry = { status, at: instant(at) }
    if (status !== 'sending') return entry
    const again = timeline.slice(index).find(one => one.status === 'queued')
    const deviceId = again === undefined ? last : again.deviceId
    return deviceId == null ? entry : { ...entry, deviceId }
  })
}
