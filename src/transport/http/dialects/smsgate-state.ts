/** The state of a call as SMSGate words it: one for all of its numbers, and one for each. */
import type { MessageStatus } from '#contracts/primitives.ts'
import type { Message } from '#domain/message/message.ts'
import { instant } from '#domain/time.ts'

/** The state of a call: that of its least advanced message. Its id names all messages. */
export function stateOf(messages: readonly Message[]) {
  const [first] = messages
  const ranks = messages.map(({ status }) => RANKS.indexOf(status))
  const behind = messages[ranks.indexOf(Math.min(...ranks))]
  const timeline = (behind ?? first)?.timeline ?? []
  return {
    id: messages.map(({ id }) => id).join('.'),
    deviceId: first?.deviceId ?? '',
    state: STATES[(behind ?? first)?.status ?? 'queued'],
    isHashed: false,
    isEncrypted: false,
    recipients: messages.map(({ phoneNumber, status, failure }) => ({
      phoneNumber,
      state: STATES[status],
      error: failure === null ? null : `${failure.code}: ${failure.message}`,
    })),
    states: Object.fromEntries(timeline.map(({ status, at: wallMs }) => [STATES[status], instant(wallMs)])),
  }
}

const STATES: Readonly<Record<MessageStatus, string>> = {
  queued: 'Pending',
  sending: 'Processed',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
}

/** A call has failed only if all its messages failed. */
const RANKS: readonly MessageStatus[] = ['queued', 'sending', 'sent', 'delivered', 'failed']
