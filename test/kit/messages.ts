import type { AcceptedMessage, AcceptMessage } from '#contracts/commands.ts'
import type { AcceptedMessageResource } from '#contracts/message.ts'
import type { Message } from '#domain/message/message.ts'
import { plainText } from '#domain/message/message-fields.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'

/** A message as a caller sends it. */
export function messageToAccept(accountId: string, different: Partial<AcceptMessage> = {}): AcceptMessage {
  const hello = { accountId, phoneNumber: '+14155550123', country: 'US', text: 'hello' }
  return { ...plainText({ ...hello, queueIfOffline: false }), idempotency: null, ...different }
}

/** The answer to the caller of an accepted message. */
export function acceptedIn({ answer }: AcceptedMessage): AcceptedMessageResource {
  return JSON.parse(answer) as AcceptedMessageResource
}

/** A message as the database stores it when it was just accepted, with changes by the test. */
export function storedMessage(different: Partial<Message> = {}): Message {
  const hello = { accountId: 'acc_1', phoneNumber: '+14155550123', country: 'US', text: 'hello' }
  const { ttlMs: _ttl, queueIfOffline: _queue, ...kept } = plainText(hello)
  return {
    ...kept,
    id: 'msg_1',
    pinned: false,
    deviceGroupId: null,
    createdAt: 0,
    expiresAt: 14_400_000,
    status: 'queued',
    deviceId: null,
    attempt: 0,
    notBefore: 0,
    sentAt: null,
    deliveredAt: null,
    failure: null,
    timeline: [{ status: 'queued', at: 0 }],
    ...different,
  }
}

/** A message as the queue in memory holds it. */
export function openMessage(different: Partial<OpenMessage> = {}): OpenMessage {
  return {
    id: 'msg_1',
    accountId: 'acc_1',
    rank: 2,
    segments: 1,
    pinned: false,
    groupId: null,
    country: null,
    expiresAtMono: 14_400_000,
    ttlMs: 14_400_000,
    isByRow: false,
    deviceId: null,
    attempt: 0,
    goes: [],
    stage: 'waiting',
    queue: null,
    look: 0,
    ...different,
  }
}
