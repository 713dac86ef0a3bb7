import type { AcceptedMessage, AcceptMessage } from '#contracts/commands.ts'
import { IDEMPOTENCY_KEPT_MS, MESSAGES_OPEN_MAX } from '#contracts/limits.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { offerMessages } from '#domain/device/offer-messages.ts'
import type { Phone } from '#domain/device/phone.ts'
import { type Message, rankOf } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { choosePhone } from '#domain/message/routing.ts'
import { refuseSandbox, simulateMessage } from '#domain/message/simulate-sandbox.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Takes a message on: everything that can refuse it comes first, then quota, row and queue in one go. When the
 * transaction is committed the caller is told, and only then is a phone.
 *
 * @throws Problem NOT_FOUND (phone), NO_DEVICE_AVAILABLE, RATE_LIMIT_EXCEEDED, IDEMPOTENCY_MISMATCH,
 * SERVICE_UNAVAILABLE (too many open messages)
 */
export function acceptMessage(world: World, input: AcceptMessage): AcceptedMessage {
  const kept = replay(world, input)
  if (kept !== null) return kept
  if (world.fleet.messages.size >= MESSAGES_OPEN_MAX)
    throw new Problem('SERVICE_UNAVAILABLE', 'too many messages wait for a phone', { retryAfterS: 60 })
  const phone = input.test ? refuseSandbox(input) : findPhone(world, input)
  if (!input.test) {
    const limit = planOf(world, input.accountId).smsPerDay
    world.usage.spend(world.tx, input.accountId, { kind: 'sms', count: 1, limit, wallMs: world.now.wallMs })
  }
  const message = newMessage(world, input, phone)
  world.messages.insert(world.tx, message)
  const answer = {
    messageId: message.id,
    status: message.status,
    phoneNumber: message.phoneNumber,
    createdAt: instant(message.createdAt),
    segments: message.segments,
    encoding: message.encoding,
  } as const
  if (input.idempotency !== null) {
    const { scope, key, bodyHash } = input.idempotency
    const kept = { bodyHash, answer: JSON.stringify(answer), at: world.now.wallMs }
    world.messages.keepAnswer(world.tx, { scope, key }, kept)
  }
  enter(world, message)
  return { answer, replayed: false }
}

function replay(world: World, input: AcceptMessage): AcceptedMessage | null {
  if (input.idempotency === null) return null
  const { scope, key, bodyHash } = input.idempotency
  const kept = world.messages.keptAnswer(world.tx, { scope, key }, world.now.wallMs - IDEMPOTENCY_KEPT_MS)
  if (kept === undefined) return null
  if (kept.bodyHash !== bodyHash)
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'this Idempotency-Key was used with another body: use a new key for a new message',
    )
  return { answer: JSON.parse(kept.answer) as AcceptedMessage['answer'], replayed: true }
}

function findPhone(world: World, input: AcceptMessage): Phone | null {
  const { fleet, now, settings } = world
  const { monoMs } = now
  const { offlineAfterMs } = settings
  if (input.deviceId !== null) {
    const named = fleet.phoneOf(input.accountId, input.deviceId)
    if (named === undefined) throw notFound('device')
    if (!input.queueIfOffline && !named.isConnected(monoMs, offlineAfterMs)) throw noDevice('this phone is')
    return named
  }
  const phones = [...fleet.phonesOf(input.accountId)]
  const chosen = choosePhone(phones, { country: input.country, monoMs, offlineAfterMs })
  if (chosen !== null || input.queueIfOffline) return chosen
  if (phones.some(phone => phone.isConnected(monoMs, offlineAfterMs))) return null
  throw noDevice(phones.length === 0 ? 'no phone is paired, so none is' : 'none of your phones is')
}

function noDevice(which: string): Problem {
  return new Problem(
    'NO_DEVICE_AVAILABLE',
    `${which} connected; set queueIfOffline to have the message wait for one`,
    { retryAfterS: 30 },
  )
}

function newMessage(world: World, input: AcceptMessage, phone: Phone | null): Message {
  const at = world.now.wallMs
  const ttlMs = input.ttlMs ?? world.settings.messageTtlMs
  return {
    id: world.source.id('msg_', at),
    accountId: input.accountId,
    test: input.test,
    kind: input.kind,
    phoneNumber: input.phoneNumber,
    country: input.country,
    text: input.text,
    segments: input.segments,
    encoding: input.encoding,
    priority: input.priority,
    simSlot: input.simSlot,
    pinned: input.deviceId !== null,
    createdAt: at,
    expiresAt: at + ttlMs,
    notificationUrl: input.notificationUrl,
    webhookId: input.webhookId ?? null,
    status: 'queued',
    deviceId: phone?.id ?? null,
    attempt: 0,
    notBefore: 0,
    sentAt: null,
    deliveredAt: null,
    failure: null,
    timeline: [{ status: 'queued', at }],
  }
}

/** Puts a new message into memory: its queue, its deadline, and before its phone. */
function enter(world: World, message: Message): void {
  const { fleet, deadlines, now } = world
  const open: OpenMessage = {
    id: message.id,
    accountId: message.accountId,
    rank: rankOf(message),
    segments: message.segments,
    pinned: message.pinned,
    country: message.country,
    phoneNumber: message.phoneNumber,
    expiresAtMono: now.monoMs + (message.expiresAt - message.createdAt),
    deviceId: message.deviceId,
    attempt: 0,
    place: 'resting',
  }
  fleet.messages.set(open.id, open)
  deadlines.add(open.expiresAtMono, 'expire', open.id)
  if (message.test) return simulateMessage(world, open)
  fleet.enqueue(open)
  const phone = open.deviceId === null ? undefined : fleet.phones.get(open.deviceId)
  if (phone !== undefined) offerMessages(world, phone)
}
