import type { MessageResource } from '#contracts/message.ts'
import type { Message } from '#domain/message/message.ts'
import { MESSAGE_FIELDS, type MessageField } from '#domain/message/message-fields.ts'
import { instant, instantOrNull } from '#domain/time.ts'

const ANSWERED = Object.entries<MessageField>(MESSAGE_FIELDS)
  .filter(([, { answer }]) => answer !== undefined)
  .map(([name, { answer, ...field }]) => {
    const called = typeof answer === 'string' ? answer : name
    return [name as keyof Message | 'pretend', { ...field, called }] as const
  })

/**
 * The message as the API shows it. Text and number are null after retention has removed them.
 *
 * @param isPretend whether a device of this id, also a removed one, is a pretend phone
 */
export function describeMessage(message: Message, isPretend: (deviceId: string) => boolean): MessageResource {
  const answer: Record<string, unknown> = {}
  for (const [name, { isTime, wiped, called }] of ANSWERED) {
    const value = name === 'pretend' ? null : message[name]
    const isWiped = wiped !== undefined && value === wiped
    answer[called] = isWiped ? null : isTime ? instantOrNull(value as number | null) : value
  }
  answer['pretend'] = message.deviceId !== null && isPretend(message.deviceId)
  answer['timeline'] = describeTimeline(message)
  return answer as MessageResource
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
