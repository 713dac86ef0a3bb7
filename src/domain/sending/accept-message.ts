import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { AcceptedMessage, AcceptMessage } from '#contracts/commands.ts'
import { isDeviceGroup } from '#contracts/device-group.ts'
import type { AcceptedMessageResource } from '#contracts/message.ts'
import { planOf } from '#domain/account/plan-of.ts'
import type { Phone } from '#domain/device/phone.ts'
import { keepAnswer, keptAnswer } from '#domain/message/kept-answer.ts'
import { type Message, rankOf, ttlMsOf } from '#domain/message/message.ts'
import { openMessageOf } from '#domain/message/message-queue.ts'
import { isOptedOut, refuseOptedOut } from '#domain/message/opt-out.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'
import { notFound, Problem, whyFull } from '#domain/problem.ts'
import { offerWaiting } from '#domain/sending/offer-messages.ts'
import { checkSendAt, scheduleMessage } from '#domain/sending/schedule-message.ts'
import { refuseSandbox, simulateMessage } from '#domain/sending/simulate-sandbox.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Accepts a message: first runs all checks that can refuse it, then counts it, writes its row and queues
 * it. The caller gets its answer, and the phone its offer, after the commit.
 *
 * @throws Problem FORBIDDEN (country, opted out), NOT_FOUND (phone), NO_DEVICE_AVAILABLE,
 * RATE_LIMIT_EXCEEDED, IDEMPOTENCY_MISMATCH, SERVICE_UNAVAILABLE (too many open messages)
 */
export function acceptMessage(world: World, input: MessageToAccept): AcceptedMessage {
  const kept = keptAnswer(world, input.idempotency)
  if (kept !== null) return { answer: kept, replayed: true }
  const message = admitMessage(world, input)
  const resource: AcceptedMessageResource = {
    messageId: message.id,
    status: message.status,
    phoneNumber: message.phoneNumber,
    createdAt: instant(message.createdAt),
    segments: message.segments,
    encoding: message.encoding,
  }
  const answer = JSON.stringify(resource)
  keepAnswer(world, input.idempotency, answer)
  storeMessage(world, message)
  return { answer, replayed: false }
}

type MessageToAccept = AcceptMessage & Pick<MessageToAdmit, 'isToPerson'>

type MessageToAdmit = Omit<AcceptMessage, 'idempotency'> & {
  /** The webhook that received the alert. */
  readonly webhookId?: string
  /** Whether the text was a guess. */
  readonly guess?: boolean
  /** Whether the owner wrote down the number. Otherwise a call did. */
  readonly isToPerson?: boolean
}

/**
 * Runs all checks that can refuse a message, and counts it towards the daily limit. Writes no row: the count
 * stays in memory until the end of the transaction.
 *
 * @throws Problem as `acceptMessage`
 */
export function admitMessage(world: World, input: MessageToAdmit): Message {
  const phone = checkMessage(world, input)
  if (!input.test) {
    const { smsPerDay, twoFactorPerDay } = planOf(world, input.accountId)
    const { wallMs } = world.now
    const spent = { count: 1, wallMs }
    if (input.kind === '2fa')
      world.usage.spend(world.tx, input.accountId, { ...spent, kind: 'twoFactor', limit: twoFactorPerDay })
    else world.usage.spend(world.tx, input.accountId, { ...spent, kind: 'sms', limit: smsPerDay })
  }
  return newMessage(world, input, phone)
}

/**
 * Runs all checks except the daily limit. Writes nothing. Returns the phone for the message, if there is one.
 *
 * @throws Problem INVALID_REQUEST (`sendAt`), FORBIDDEN (country, opted out), NOT_FOUND (phone),
 * NO_DEVICE_AVAILABLE, SERVICE_UNAVAILABLE (too many open messages)
 */
export function checkMessage(world: World, input: MessageToAdmit): Phone | null {
  if (input.sendAt !== null) checkSendAt(world, input.sendAt)
  if (!input.test && input.kind !== 'webhook' && input.isToPerson !== true) checkCountry(world, input)
  if (isOptedOut(world, input)) throw refuseOptedOut([input.phoneNumber])
  checkRoom(world, input.accountId, { count: 1, isUrgent: rankOf(input) < 2 })
  const named = findNamed(world, input)
  return input.test ? refuseSandbox(input) : findPhone(world, input, named)
}

/** Refuses a number of a country that gets no texts. @throws Problem FORBIDDEN */
function checkCountry({ settings, fleet }: World, input: MessageToAdmit): void {
  const { countries } = settings
  const country = input.country ?? ''
  // A short code has no country. It belongs to the one of the SIM.
  const own = country === '+' ? fleet.countriesOf(input.accountId) : [country]
  const isAllowed = own.some(one => countries.some(allowed => regionMatches(one, allowed)))
  if (countries.length === 0 || isAllowed) return
  const whose = own.join(', ') || 'a short code'
  const message = `${whose} gets no texts: see messages.countries in the configuration`
  throw new Problem('FORBIDDEN', message, { reason: 'COUNTRY_NOT_ALLOWED' })
}

/** The share of the room that is left to codes, alerts and messages of high priority. */
const URGENT_SHARE = 0.1

type Rooms = Pick<World, 'fleet' | 'settings'>

/** How many messages that are not final memory has room for: of all accounts, and of this one. */
function roomOf({ fleet, settings }: Rooms, accountId: string, isUrgent: boolean) {
  const { messagesOpenMax } = settings
  const { most } = ACCOUNT_BOUNDS.openTexts
  const share = isUrgent ? 1 : 1 - URGENT_SHARE
  const own = isUrgent ? most * (1 + URGENT_SHARE) : most
  const half = fleet.hasPhonesBeside(accountId) ? (messagesOpenMax / 2) * share : own
  return { all: messagesOpenMax * share, own: Math.floor(Math.min(own, half)) }
}

/** Whether memory has room for one more urgent message of the account. */
export function hasRoom(world: Rooms, accountId: string, count = 1): boolean {
  const { all, own } = roomOf(world, accountId, true)
  return world.fleet.messages.size + count <= all && world.fleet.openCount(accountId) + count <= own
}

/**
 * Refuses further messages for which memory has no room.
 *
 * @throws Problem SERVICE_UNAVAILABLE
 */
export function checkRoom(
  world: Rooms,
  accountId: string,
  { count, isUrgent }: { readonly count: number; readonly isUrgent: boolean },
): void {
  const { all, own } = roomOf(world, accountId, isUrgent)
  const isFull = world.fleet.messages.size + count > all
  if (!isFull && world.fleet.openCount(accountId) + count <= own) return
  const message = 'too many messages wait for a phone: try again in a minute, or connect another phone'
  const why = isFull ? message : whyFull({ ...ACCOUNT_BOUNDS.openTexts, most: own })
  throw new Problem('SERVICE_UNAVAILABLE', why, { retryAfterS: 60 })
}

/**
 * The phone that the caller named; null: none, or a group of phones. A sandbox message reaches no phone, but
 * what it names must exist, too.
 */
function findNamed(world: Pick<World, 'fleet'>, { accountId, deviceId }: MessageToAdmit): Phone | null {
  if (deviceId === null) return null
  if (isDeviceGroup(deviceId)) {
    if (world.fleet.groupOf(accountId, deviceId) === undefined) throw notFound('group of phones')
    return null
  }
  const named = world.fleet.phoneOf(accountId, deviceId)
  if (named === undefined) throw notFound('device')
  return named
}

/** The phone for the message. Null: it waits for any phone, as it is scheduled or none can send it now. */
function findPhone(world: World, input: MessageToAdmit, named: Phone | null): Phone | null {
  const { fleet, now, settings } = world
  const { monoMs } = now
  const { offlineAfterMs } = settings
  if (input.sendAt !== null) return named
  if (named !== null) {
    if (input.queueIfOffline) return named
    if (!named.isConnected(monoMs, offlineAfterMs)) throw noDevice(input.kind, 'this phone is not connected')
    if (!named.hasRoomFor(input.segments)) throw noDevice(input.kind, 'this phone has reached its cap')
    return named
  }
  const { accountId, country, segments, deviceId: groupId } = input
  const chosen = fleet.choose(accountId, { country, segments, monoMs, offlineAfterMs, groupId })
  if (chosen !== null || input.queueIfOffline) return chosen
  const group = fleet.groupOf(accountId, groupId)
  const isOnlyGroup = group?.isOpenToAll(monoMs) === false
  const phones = isOnlyGroup ? [...group.phones] : [...fleet.phonesOf(accountId)]
  const connected = phones.filter(phone => phone.isConnected(monoMs, offlineAfterMs))
  if (connected.some(phone => phone.hasRoomFor(segments))) return null
  if (connected.length > 0) throw noDevice(input.kind, 'all connected phones have reached their caps')
  throw noDevice(
    input.kind,
    isOnlyGroup
      ? `no phone of the group ${group.row.name} is connected`
      : phones.length === 0
        ? 'no phone is paired, so none is connected'
        : 'none of your phones is connected',
  )
}

function noDevice(kind: AcceptMessage['kind'], reason: string): Problem {
  const advice =
    kind === '2fa' ? 'one-time codes are not queued' : 'set queueIfOffline to true to queue the message'
  return new Problem('NO_DEVICE_AVAILABLE', `${reason}; ${advice}`, { retryAfterS: 30 })
}

/** A message as it is first stored: queued, without an attempt. */
export function newMessage(world: World, input: MessageToAdmit, phone: Phone | null): Message {
  const at = world.now.wallMs
  const { sendAt, deviceId: target } = input
  const isForGroup = target !== null && isDeviceGroup(target)
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
    pinned: target !== null && !isForGroup,
    deviceGroupId: isForGroup ? target : null,
    createdAt: at,
    sendAt,
    expiresAt: Math.max(at, sendAt ?? 0) + ttlMs,
    notificationUrl: input.notificationUrl,
    webhookId: input.webhookId ?? null,
    guess: input.guess ?? false,
    despiteOptOut: input.despiteOptOut,
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

/** Stores a new message and adds it to memory: queue, deadline, and an offer to its phone. */
export function storeMessage(world: World, message: Message): void {
  world.messages.insert(world.tx, message)
  world.dayCounts.accept(message)
  const { fleet, deadlines, now } = world
  const open = openMessageOf(message, now.monoMs + ttlMsOf(message))
  fleet.addMessage(open)
  if (message.sendAt !== null) return scheduleMessage(world, open, message.sendAt)
  deadlines.addExpiry(open)
  if (message.test) return simulateMessage(world, open)
  fleet.enqueue(open)
  offerWaiting(world, open)
}
