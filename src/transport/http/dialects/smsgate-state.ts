/**
 * Describes the messages of one call in SMSGate's format: one state for the call, and one for each recipient.
 */
import type { MessageStatus } from '#contracts/primitives.ts'
import type { Message } from '#domain/message/message.ts'
import { instant } from '#domain/time.ts'

/** A call has the state of its least advanced message. `id`: the id of the call. */
export function smsgateStateOf(id: string, messages: readonly Message[]) {
  const [first] = messages
  const ranks = messages.map(({ status }) => RANKS.indexOf(status))
  const leastAdvanced = messages[ranks.indexOf(Math.min(...ranks))]
  const timeline = (leastAdvanced ?? first)?.timeline ?? []
  return {
    id,
    deviceId: first?.deviceId ?? '',
    state: SMSGATE_STATES[(leastAdvanced ?? first)?.status ?? 'queued'],
    isHashed: false,
    isEncrypted: false,
    recipients: messages.map(({ phoneNumber, status, failure }) => ({
      phoneNumber,
      state: SMSGATE_STATES[status],
      error: failure === null ? null : `${failure.code}: ${failure.message}`,
    })),
    states: Object.fromEntries(
      timeline.map(({ status, at: wallMs }) => [SMSGATE_STATES[status], instant(wallMs)]),
    ),
  }
}

export const SMSGATE_STATES: Readonly<Record<MessageStatus, string>> = {
  queued: 'Pending',
  sending: 'Processed',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
}

/** From least to most advanced. `failed` comes last, so that a call fails only if all its messages fail. */
const RANKS: readonly MessageStatus[] = ['queued', 'sending', 'sent', 'delivered', 'failed']
